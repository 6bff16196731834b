/** The calls of the database's functions, by the contract's table. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import { type Arguments, DASHBOARD_RESULTS, type Returned } from '#contract/calls.ts';
import type { DataResponse, RequestData } from './data-api.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** What the calls need of the client. */
export interface CallingClient {
  readonly auth: Pick<SupabaseClient['auth'], 'refreshSession'>;
  readonly requestData: RequestData;
}

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
    const response = await withFreshToken(client.auth, () =>
      client.requestData(`rpc/${name}`, { method: 'POST', body: args, signal }),
    );
    return dataOf(DASHBOARD_RESULTS[name], response) as Returned<Name>;
  };
}

/** What the response returns. Throws as a call where that is an error or something else. */
export function dataOf<Schema extends z.ZodMiniType>(
  schema: Schema,
  { status, body }: DataResponse,
): z.infer<Schema> {
  if (status < 200 || status >= 300) throw new Error(status === 0 ? '' : messageOf(body), { cause: body });
  const data = schema.safeParse(body);
  // Without a message, so that the page shows its own.
  if (!data.success) throw new Error('', { cause: data.error });
  return data.data;
}

/** The server's error message; empty where it has none, such as that of a proxy. */
function messageOf(body: unknown): string {
  const { message } = Object(body) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}
