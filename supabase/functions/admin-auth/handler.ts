/**
 * Signs an administrator in. Every rejected password (wrong, unknown, banned, unconfirmed, no administrator) gets the
 * same response, no sooner than the others, so that responses do not reveal which accounts exist.
 *
 * An attempt takes one of three lanes, each with its own limits and its own queue, so that a flood in one blocks no
 * other: `device` with the device token of an earlier sign-in, `proof` with a solved proof of work, `open` with neither.
 * An attempt of the lanes `device` and `open` that is rejected before its password was tried gets a challenge for the
 * lane `proof`, bound to the account. That lane is exempt from the limits of ips, but counts the attempts of each
 * account: with every 20 the next proof takes twice the work. A proof with too little work gets a harder challenge.
 *
 * Such rejections are sent at once, so that a flood of them uses few resources; they do not depend on the account's
 * existence.
 */
import * as z from 'zod/mini';
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Client, readClient } from '../_shared/client-ip.ts';
import { MAX_STEP, SIGN_IN_PROOF_LIFETIME_SECONDS } from '../_shared/contract/bot-check.ts';
import { type Credentials, CredentialsSchema } from '../_shared/contract/sign-in.ts';
import { fifoCache } from '../_shared/fifo-cache.ts';
import { logError } from '../_shared/log.ts';
import { readJson } from '../_shared/read-json.ts';
import { DatabaseUnavailable, LimitReached, Rejection, type RejectionDetails } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import { type AttemptLimits, chooseLane, limitByProof, sourceOf, withoutIpLimits } from './attempt-limits.ts';
import { type AuthServer, type Session, sessionIdOf } from './auth-server.ts';
import { issueDeviceToken } from './device-token.ts';
import type { Lane } from './lanes.ts';
import type { Place, Queue } from './queue.ts';
import { issueSignInChallenge, verifySignInProof } from './sign-in-proof.ts';

const BODY_BOUNDS = { maxBytes: 4 * 1024, timeoutMs: 5_000 };

/**
 * No password is rejected sooner. Behind a queue it is rejected later, which reveals as little: each attempt has an
 * interval of its own (queue.ts), and embedded each costs a hash (constant-time-sign-in.ts).
 */
const MIN_REJECTION_MS = 600;

/** `retry-after` of a rejected proof, for clients that do not solve the harder challenge at once. */
const HARDER_PROOF_WAIT_SECONDS = 60;

/** Used proofs in memory, so that one sent again costs no call of the database. */
const MAX_USED_PROOFS = 10_000;

/** What `begin_sign_in` returns: seconds to wait, whether `harder_limits` were counted, and the level of a proof. */
const BegunSchema = z.object({ wait: z.number(), harder: z.boolean(), level: z.number() });

/** What `begin_sign_in_by_proof` returns. */
const BegunByProofSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('begun') }),
  z.object({ outcome: z.literal('used') }),
  z.object({ outcome: z.literal('harder'), level: z.number() }),
]);

export interface AdminAuth {
  readonly settings: Settings;
  readonly auth: AuthServer;
  readonly lanes: Record<Lane, Queue>;
  readonly callDatabase: CallDatabase;
}

/** An attempt that was counted and has a place in a queue. */
interface BegunAttempt {
  readonly place: Place;
  readonly counted: AttemptLimits;
}

/** Creates the handler, with its own cache of used proofs. */
export function createSignIn({ settings, auth, lanes, callDatabase }: AdminAuth): Handler {
  const usedProofs = fifoCache<true>(MAX_USED_PROOFS);

  return async (request) => {
    const { success, data: credentials } = CredentialsSchema.safeParse(await readJson(request, BODY_BOUNDS));
    if (!success) throw new Rejection('malformed');
    const client = readClient(request, settings);
    const minimum = new Promise((resolve) => setTimeout(resolve, MIN_REJECTION_MS));
    try {
      const attempt = await begin(credentials, client);
      return await tryPassword(credentials, client, attempt);
    } catch (error) {
      if (error instanceof Rejection && error.code === 'wrong_credentials') await minimum;
      throw error;
    }
  };

  function begin(credentials: Credentials, client: Client | undefined): Promise<BegunAttempt> {
    const { email, proof } = credentials;
    return proof === undefined ? beginWithoutProof(credentials, client) : beginByProof(email, proof, client);
  }

  async function beginWithoutProof(
    credentials: Credentials,
    client: Client | undefined,
  ): Promise<BegunAttempt> {
    const { email } = credentials;
    const { lane, source, limits } = await chooseLane(settings, credentials, client);
    const begun = BegunSchema.parse(
      await callDatabase('begin_sign_in', { ...limits, proof_limits: [await limitByProof(settings, email)] }),
    );
    if (begun.wait > 0) {
      const challenge = await issueSignInChallenge(settings, email, begun.level);
      throw new LimitReached('too_many_sign_ins', begun.wait, { challenge });
    }
    const counted = begun.harder ? limits : { ...limits, harder_limits: [] };
    const place = lanes[lane].reserve(source);
    if (!place) {
      await forgive(counted);
      throw busy({ challenge: await issueSignInChallenge(settings, email, begun.level) });
    }
    return { place, counted };
  }

  async function beginByProof(
    email: string,
    token: string,
    client: Client | undefined,
  ): Promise<BegunAttempt> {
    const proof = await verifySignInProof(settings, email, token);
    if (usedProofs.get(proof.hash)) throw new Rejection('bot_check_used');
    // Reserved before the proof is used up, so that it stays valid while the queue is full.
    const place = lanes.proof.reserve(sourceOf(client));
    if (!place) throw busy();
    try {
      const account_limits = [await limitByProof(settings, email)];
      const begun = BegunByProofSchema.parse(
        await callDatabase('begin_sign_in_by_proof', {
          key_hash: proof.hash,
          seconds: SIGN_IN_PROOF_LIFETIME_SECONDS + 60,
          account_limits,
          level: proof.level,
          max_level: MAX_STEP,
        }),
      );
      if (begun.outcome === 'harder') {
        const challenge = await issueSignInChallenge(settings, email, begun.level);
        throw new LimitReached('too_many_sign_ins', HARDER_PROOF_WAIT_SECONDS, { challenge });
      }
      usedProofs.set(proof.hash, true);
      if (begun.outcome === 'used') throw new Rejection('bot_check_used');
      return { place, counted: { limits: [], account_limits, harder_limits: [] } };
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /**
   * Tries the password when the turn of its place comes. The session is opened or revoked before the interval is over:
   * behind a queue, the right password of a user who is no administrator is rejected no later than a wrong one.
   */
  async function tryPassword(
    { email, password }: Credentials,
    client: Client | undefined,
    { place, counted }: BegunAttempt,
  ): Promise<Result> {
    const attempt = async () => {
      const tried = await auth.tryPassword({ email, password, client });
      if (tried.outcome !== 'session') return tried;
      return (await openSession(tried.session)) ? tried : ({ outcome: 'rejected' } as const);
    };
    const tried = await place.run(attempt).catch(async (error: unknown) => {
      await forgive(counted);
      throw error;
    });
    switch (tried.outcome) {
      case 'rejected':
        throw new Rejection('wrong_credentials');
      case 'limited':
        // No password was tried. The ip stays counted, so that a flood reaches its limit.
        await forgive(withoutIpLimits(counted));
        throw new LimitReached('too_many_sign_ins', tried.wait);
      case 'unavailable':
        await forgive(counted);
        throw new Rejection('unavailable', { headers: { 'retry-after': '5' } });
      case 'session':
        await forgive(counted);
        return {
          status: 200,
          body: { session: tried.session, device: await issueDeviceToken(settings, email) },
        };
    }
  }

  /**
   * Opens the session of an administrator, and revokes any other.
   * @throws DatabaseUnavailable after the session was revoked
   */
  async function openSession(session: Session): Promise<boolean> {
    let opened = false;
    try {
      opened =
        (await callDatabase('open_admin_session', {
          user_id: session.user.id,
          session_id: sessionIdOf(session),
          hours: settings.sessionHours,
          idle_minutes: settings.sessionIdleMinutes,
        })) === true;
    } finally {
      if (!opened) await auth.revoke(session);
    }
    return opened;
  }

  /** Subtracts an attempt from its limits. The response does not depend on whether the database does it. */
  async function forgive(limits: AttemptLimits): Promise<void> {
    try {
      await callDatabase('forgive_sign_in', { ...limits });
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      logError('admin-auth', 'database_unavailable', error.message);
    }
  }
}

/** The queue is full; no password was tried, and no proof used up. */
function busy(body: RejectionDetails['body'] = {}): Rejection {
  return new Rejection('sign_in_busy', { headers: { 'retry-after': '5' }, body });
}
