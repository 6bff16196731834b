/** Client of GoTrue for signing in. It has no state, and therefore stores no session. */
import * as z from 'zod/mini';
import type { Client } from '../_shared/client-ip.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { claimsOf } from '../_shared/contract/token-claims.ts';

/** A session. Further fields are passed on unchanged. */
const SessionSchema = z.looseObject({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  user: z.looseObject({ id: z.uuid() }),
});
export type Session = z.infer<typeof SessionSchema>;

export type PasswordResult =
  | { outcome: 'session'; session: Session }
  | { outcome: 'rejected' }
  /** GoTrue's own limit. */
  | { outcome: 'limited'; wait: number }
  | { outcome: 'unavailable' };

export interface Attempt {
  readonly email: string;
  readonly password: string;
  /** Whose ip GoTrue limits, instead of this function's. */
  readonly client: Client;
}

export interface AuthServer {
  tryPassword(attempt: Attempt): Promise<PasswordResult>;
  /** Revokes the session of a user who is no administrator. Ignores errors. */
  revoke(session: Session): Promise<void>;
}

const TIMEOUT_MS = 8_000;

export function authServer({ settings, fetch }: Pick<FunctionContext, 'settings' | 'fetch'>): AuthServer {
  const call = (path: string, init: { body?: string; headers?: Record<string, string> }) =>
    fetch(`${settings.url}/auth/v1${path}`, {
      method: 'POST',
      ...init,
      headers: { apikey: settings.secretKey, 'content-type': 'application/json', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  return {
    tryPassword: async ({ email, password, client }) => {
      // No account has such an email, and PostgreSQL would respond with an error.
      if (email.includes('\0')) return { outcome: 'rejected' };
      try {
        const response = await call('/token?grant_type=password', {
          body: JSON.stringify({ email, password }),
          ...(client.address === undefined ? {} : { headers: { 'sb-forwarded-for': client.address } }),
        });
        const body: unknown = await response.json();
        if (response.status === 429) {
          return { outcome: 'limited', wait: Number(response.headers.get('retry-after')) || 60 };
        }
        if (response.status >= 500) return { outcome: 'unavailable' };
        if (!response.ok) return { outcome: 'rejected' };
        const session = SessionSchema.safeParse(body);
        return session.success ? { outcome: 'session', session: session.data } : { outcome: 'unavailable' };
      } catch {
        return { outcome: 'unavailable' };
      }
    },
    revoke: async (session) => {
      await call('/logout?scope=local', {
        headers: { authorization: `Bearer ${session.access_token}` },
      }).catch(() => undefined);
    },
  };
}

/** The claim `session_id` of the access token; empty if it has none, which opens no session. */
export function sessionIdOf({ access_token }: Session): string {
  const id = (claimsOf(access_token) as { session_id?: unknown } | null | undefined)?.session_id;
  return typeof id === 'string' ? id : '';
}
