/**
 * Signs an administrator in. Every rejected password (wrong, unknown, banned, unconfirmed, no administrator) gets the
 * same response, and no attempt is rejected sooner than 600 ms, so that responses do not reveal which accounts exist.
 *
 * An attempt takes a place in the queue, is counted, and waits; where there is no place, it costs no call of the database. A
 * completed sign-in takes its own hit back: floods reach their limits, and the owner may sign in any number of times.
 */
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Client, readClient } from '../_shared/client-ip.ts';
import { type Credentials, CredentialsSchema } from '../_shared/contract/sign-in.ts';
import { createLimitedSenders } from '../_shared/limited-senders.ts';
import type { Log } from '../_shared/log.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { DatabaseUnavailable, LimitReached, Rejection } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import { type AuthServer, type Session, sessionIdOf } from './auth-server.ts';
import { issueDeviceToken } from './device-token.ts';
import { factorUse, keyIdOf } from './factor.ts';
import { limitsOf } from './limits.ts';
import { type Queue, QueueFull } from './queue.ts';

const BODY_BOUNDS = { maxBytes: 4 * 1024, timeoutMs: 5_000 };

/**
 * No attempt is rejected sooner. Behind a queue it is rejected later, which reveals as little: each attempt has an
 * interval of its own (queue.ts), and embedded each costs a hash (auth-server.ts).
 */
const MIN_REJECTION_MS = 600;

/** At which wrong code in 24 hours the owner gets a message. */
const REPORTED_WRONG_CODE = 3;

/** The third wrong code of 24 hours was entered after the right password, or a recovery code was used. */
type Notice = 'wrong_codes' | 'recovery_code';

export interface AdminAuth {
  readonly settings: Settings;
  readonly auth: AuthServer;
  readonly queue: Queue;
  readonly callDatabase: CallDatabase;
  readonly log: Log;
  /** Sends the owner a message. Returns at once. */
  readonly notify: (notice: Notice) => void;
}

/** Creates the handler, with its own cache of limited senders. */
export function createSignIn({ settings, auth, queue, callDatabase, log, notify }: AdminAuth): Handler {
  const limited = createLimitedSenders();

  return async (request) => {
    const { success, data: credentials } = CredentialsSchema.safeParse(await readJson(request, BODY_BOUNDS));
    if (!success) throw new Rejection('malformed');
    const minimum = new Promise((resolve) => setTimeout(resolve, MIN_REJECTION_MS));
    return await signIn(credentials, readClient(request, settings)).catch(async (error: unknown) => {
      await minimum;
      throw error;
    });
  };

  async function signIn(credentials: Credentials, client: Client): Promise<Result> {
    const { isKnownDevice, limits } = limitsOf(settings, credentials, client);
    const known = limited.wait(limits);
    if (known > 0) throw new LimitReached('too_many_sign_ins', known);
    const counted = { limits, counted_at: '' };
    const begin = async () => {
      const { wait, counted_at, full } = await callDatabase('begin_sign_in', { limits });
      if (wait > 0) limited.add(limits, full);
      if (wait > 0) throw new LimitReached('too_many_sign_ins', wait);
      counted.counted_at = counted_at;
    };

    // The session is opened or revoked before the interval is over: the right password of a user who is no administrator
    // is rejected no later than a wrong one.
    const tried = await queue
      .run(isKnownDevice, begin, () => tryPassword(credentials, client))
      .catch((error: unknown) => {
        // The attempts that fill the queue stay counted.
        throw error instanceof QueueFull ? unavailable('sign_in_busy') : error;
      });
    switch (tried.outcome) {
      case 'rejected':
        throw new Rejection('wrong_credentials');
      case 'limited':
        throw new LimitReached('too_many_sign_ins', tried.wait);
      case 'unavailable':
        // No password was tried.
        await takeBack(counted);
        throw unavailable('unavailable');
      case 'session':
        await takeBack(counted);
        // The request before it, to which the response was `code_required`.
        if (tried.isByCode) await takeBack(counted);
        return {
          status: 200,
          body: {
            session: tried.session,
            device: issueDeviceToken(settings, credentials.email),
            ...(tried.left !== undefined && { recovery_codes_left: tried.left }),
          },
        };
      case 'wrong_code':
        // Wrong codes count for the account alone.
        await takeBack(counted);
        throw new Rejection('wrong_code');
      default:
        throw new Rejection(tried.outcome);
    }
  }

  async function tryPassword({ email, password, code = '' }: Credentials, client: Client) {
    const tried = await auth.tryPassword({ email, password, client });
    return tried.outcome === 'session' ? await openSession(tried.session, code.trim()) : tried;
  }

  /**
   * Opens the session of an administrator who has what the account demands, and revokes any other.
   * @throws DatabaseUnavailable after the session was revoked
   */
  async function openSession(session: Session, code: string) {
    const open = async (use: object = {}) =>
      await callDatabase('open_admin_session', {
        user_id: session.user.id,
        session_id: sessionIdOf(session),
        hours: settings.sessionHours,
        idle_minutes: settings.sessionIdleMinutes,
        ...use,
      });
    let isOpen = false;
    try {
      const { status, sealed = '', key_id } = await open();
      isOpen = status === 'opened';
      if (isOpen) return { outcome: 'session', session, isByCode: false, left: undefined } as const;
      if (status !== 'code_required') return { outcome: 'rejected' } as const;
      if (key_id !== keyIdOf(settings.secretKey)) return { outcome: 'factor_of_other_key' } as const;
      if (code === '') return { outcome: 'code_required' } as const;
      const use = await factorUse(settings.secretKey, session.user.id, sealed, code);
      const used = await open(use);
      isOpen = used.status === 'opened';
      if (isOpen) {
        const isRecovery = 'recovery' in use;
        if (isRecovery) notify('recovery_code');
        const left = isRecovery ? used.left : undefined;
        return { outcome: 'session', session, isByCode: true, left } as const;
      }
      if (used.status === 'wrong_code' && used.wrong === REPORTED_WRONG_CODE) notify('wrong_codes');
      return { outcome: used.status === 'too_many_codes' ? 'too_many_codes' : 'wrong_code' } as const;
    } finally {
      if (!isOpen) await auth.revoke(session);
    }
  }

  /** Subtracts an attempt from its limits. The response does not depend on whether the database does it. */
  async function takeBack(counted: { limits: readonly Limit[]; counted_at: string }): Promise<void> {
    limited.forget(counted.limits);
    try {
      await callDatabase('release_hits', counted);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      log.error('admin-auth', 'database_unavailable', error.message);
    }
  }
}

function unavailable(code: 'sign_in_busy' | 'unavailable'): Rejection {
  return new Rejection(code, { headers: { 'retry-after': '5' } });
}
