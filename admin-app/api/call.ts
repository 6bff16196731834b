/** The calls of the database's functions, by the contract's table. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import { type Arguments, DASHBOARD_RESULTS, type Returned } from '#contract/calls.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** What the calls need of the client. */
export type CallingClient = Pick<SupabaseClient, 'rpc'> & {
  auth: Pick<SupabaseClient['auth'], 'refreshSession'>;
};

/** @throws SessionEnded, or Error with the server's message (empty where it has none) */
export type Call = <Name extends keyof typeof DASHBOARD_RESULTS>(
  name: Name,
  args: Arguments<Name>,
  signal?: AbortSignal,
) => Promise<Returned<Name>>;

export function createCall(client: CallingClient): Call {
  return async <Name extends keyof typeof DASHBOARD_RESULTS>(
    name: Name,
    args: Arguments<Name>,
    signal?: AbortSignal,
  ) => {
    const response = await withFreshToken(client.auth, () => {
      const called = client.rpc(name, args);
      return signal ? called.abortSignal(signal) : called;
    });
    return dataOf(DASHBOARD_RESULTS[name], response) as Returned<Name>;
  };
}

interface DataResponse {
  data: unknown;
  error: { message?: unknown } | null;
  status: number;
}

/** The response's data. Throws as a call where it is an error or something else. */
export function dataOf<Schema extends z.ZodMiniType>(
  schema: Schema,
  response: DataResponse,
): z.infer<Schema> {
  if (response.error) throw new Error(messageOf(response), { cause: response.error });
  const data = schema.safeParse(response.data);
  // Without a message, so that the page shows its own.
  if (!data.success) throw new Error('', { cause: data.error });
  return data.data;
}

/**
 * The server's error message; empty where the page should show its own. supabase-js takes the HTML of a proxy or captive
 * portal for a message, and without a response (status 0) the browser's technical error.
 */
function messageOf({ error, status }: DataResponse): string {
  const message = error?.message;
  return status > 0 && typeof message === 'string' && !message.trimStart().startsWith('<') ? message : '';
}
