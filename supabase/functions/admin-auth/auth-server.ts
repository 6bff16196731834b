/** GoTrue, as far as signing in needs it. Each request is a fresh call: no client that could keep a session. */
import * as z from 'zod/mini';
import type { Settings } from '../_shared/settings.ts';
import { waitingLine } from './waiting-line.ts';

/** A session, of which only what is used here is looked at; all of it is handed on. */
const SessionSchema = z.looseObject({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  user: z.looseObject({ id: z.uuid() }),
});
export type Session = z.infer<typeof SessionSchema>;

export type PasswordAnswer =
  | { outcome: 'session'; session: Session }
  | { outcome: 'refused' }
  /** GoTrue's own limit. */
  | { outcome: 'limited'; wait: number }
  | { outcome: 'unavailable' };

export interface AuthServer {
  /** @param address the visitor's, so that GoTrue limits the visitor and not this function */
  tryPassword(email: string, password: string, address: string | undefined): Promise<PasswordAnswer>;
  /** Ends a session that nobody may have. */
  revoke(session: Session): Promise<void>;
}

const PATIENCE = 8_000;

/**
 * Five passwords a second: no owner waits long, and no stranger keeps the database from its offers. The beat is long
 * enough for a hash.
 */
const LINE = { beat: 200, longest: 30 };

export function authServer(settings: Settings): AuthServer {
  const call = (path: string, init: { body?: string; headers?: Record<string, string> }) =>
    fetch(`${settings.url}/auth/v1${path}`, {
      method: 'POST',
      ...init,
      headers: { apikey: settings.secretKey, 'content-type': 'application/json', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    });
  const line = waitingLine(LINE.beat, LINE.longest);
  return {
    tryPassword: async (email, password, address) => {
      // No account has such an address, and PostgreSQL would answer the question with an error.
      if (email.includes('\0')) return { outcome: 'refused' };
      try {
        const response = await line.take(() =>
          call('/token?grant_type=password', {
            body: JSON.stringify({ email, password }),
            ...(address === undefined ? {} : { headers: { 'sb-forwarded-for': address } }),
          }),
        );
        if (!response) return { outcome: 'unavailable' };
        const body: unknown = await response.json();
        if (response.status === 429) {
          return { outcome: 'limited', wait: Number(response.headers.get('retry-after')) || 60 };
        }
        if (response.status >= 500) return { outcome: 'unavailable' };
        if (!response.ok) return { outcome: 'refused' };
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
