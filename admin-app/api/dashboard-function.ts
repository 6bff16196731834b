/** Calls of the database's functions that a project without the newest migrations does not have. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import { withFreshToken } from './with-fresh-token.ts';

/** The function does not exist, so that calling it again is of no use. */
export type Unavailable = 'unavailable';

/** @throws SessionEnded, or Error where the call failed */
export async function callDashboardFunction<Schema extends z.ZodMiniType>(
  client: Pick<SupabaseClient, 'rpc' | 'auth'>,
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
  if (response.error) throw new Error(response.error.message);
  const result = schema.safeParse(response.data);
  if (!result.success) throw new Error(`Unexpected response of ${name}`, { cause: result.error });
  return result.data;
}
