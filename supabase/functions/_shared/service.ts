/** The functions' way into the database: its own functions, called with the service role. */
import { createAdminClient } from '@supabase/server/core';

/** The database did not answer, or not as agreed. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

export type CallDatabase = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/** How long one call may take, in milliseconds. */
const PATIENCE = 8_000;

/** @throws DatabaseUnavailable without any detail of the call, since the details are personal data */
export const callDatabase: CallDatabase = async (name, args) => {
  client ??= createAdminClient<Database>();
  const { data, error } = await client.rpc(name, args).abortSignal(AbortSignal.timeout(PATIENCE));
  if (error) throw new DatabaseUnavailable(`${name}: ${error.code || 'no answer'}`);
  return data as unknown;
};

// One for all requests: it holds no session, only the key.
let client: ReturnType<typeof createAdminClient<Database>> | undefined;

/** What is called is checked by the callers' own schemas. */
interface Database {
  public: {
    Tables: Record<never, never>;
    Views: Record<never, never>;
    Functions: Record<string, { Args: Record<string, unknown>; Returns: unknown }>;
  };
}
