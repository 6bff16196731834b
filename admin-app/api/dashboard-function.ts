/** Calls of the database's functions that a project without the newest migrations does not have. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import { withFreshToken } from './with-fresh-token.ts';

/** The function does not exist, so that calling it again is of no use. */
export type Unavailable = 'unavailable';

/** What the calls need of the client. */
export type DashboardClient = Pick<SupabaseClient, 'rpc' | 'auth'>;

/** @throws SessionEnded, or Error with the server's message (empty where it has none) */
export async function callDashboardFunction<Schema extends z.ZodMiniType>(
  client: DashboardClient,
  name: string,
  parameters: Readonly<Record<string, unknown>>,
  schema: Schema,
  signal?: AbortSignal,
): Promise<z.infer<Schema> | Unavailable> {
  const response = await withFreshToken(client.auth, () => {
    const call = client.rpc(name, parameters);
    return signal ? call.abortSignal(signal) : call;
  });
  if (response.status === 404) return 'unavailable';
  return dataOf(schema, response);
}

interface DataResponse {
  data: unknown;
  error: { message?: unknown } | null;
  status: number;
}

/** The response's data. Throws as `callDashboardFunction` where it is an error or something else. */
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
