/**
 * Signs an administrator in. Every rejected password (wrong, unknown, banned, unconfirmed, no administrator) gets the
 * same response, no sooner than the others, so that responses do not reveal which accounts exist.
 *
 * An attempt takes one of three lanes, each with its own limits and its own queue, so that a flood in one blocks no
 * other: `device` with the device token of an earlier sign-in, `proof` with a solved proof of work, `open` with neither.
 * An attempt of the lanes `device` and `open` that is rejected before its password was tried gets a challenge for the
 * lane `proof`, bound to the account. That lane is exempt from the limits of ips, but counts the attempts of each
 * account: with every 20 the next proof takes twice the work. So it does the fuller the lane is for a network. A proof
 * with too little work gets a harder challenge.
 *
 * A proof is used up when its attempt's turn comes: while it waits, or if it finds no place, it stays valid.
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
import { DatabaseUnavailable, LimitReached, Rejection } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import { type AttemptLimits, chooseLane, limitByProof, sourceOf, withoutIpLimits } from './attempt-limits.ts';
import { type AuthServer, type Session, sessionIdOf } from './auth-server.ts';
import { issueDeviceToken } from './device-token.ts';
import type { Lane } from './lanes.ts';
import { type Queue, QueueFull } from './queue.ts';
import { issueSignInChallenge, type SignInProof, verifySignInProof } from './sign-in-proof.ts';
import type { Source } from './waiting-tasks.ts';

const BODY_BOUNDS = { maxBytes: 4 * 1024, timeoutMs: 5_000 };

/**
 * No password is rejected sooner. Behind a queue it is rejected later, which reveals as little: each attempt has an
 * interval of its own (queue.ts), and embedded each costs a hash (constant-time-sign-in.ts).
 */
const MIN_REJECTION_MS = 600;

/** `retry-after` of a rejected proof, for clients that do not solve the harder challenge at once. */
const HARDER_PROOF_WAIT_SECONDS = 60;

/** Proofs in memory that are used or have too little work, so that one sent again costs no call of the database. */
const MAX_SEEN_PROOFS = 10_000;

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

/** An attempt that may be queued. */
interface Attempt {
  readonly lane: Lane;
  readonly source: Source;
  /** Counts the attempt when its turn comes, unless it is counted already. */
  count(): Promise<AttemptLimits>;
  /** The limits that counted it already. */
  readonly counted?: AttemptLimits;
  /** The level of the next proof, in a rejection because the queue is full; absent if the attempt's own stays valid. */
  readonly nextLevel?: number;
}

type SeenProof = { readonly status: 'used' } | { readonly status: 'harder'; readonly level: number };

/** Creates the handler, with its own cache of proofs. */
export function createSignIn({ settings, auth, lanes, callDatabase }: AdminAuth): Handler {
  const seenProofs = fifoCache<SeenProof>(MAX_SEEN_PROOFS);
  const queuedProofs = new Set<string>();

  return async (request) => {
    const { success, data: credentials } = CredentialsSchema.safeParse(await readJson(request, BODY_BOUNDS));
    if (!success) throw new Rejection('malformed');
    const client = readClient(request, settings);
    const minimum = new Promise((resolve) => setTimeout(resolve, MIN_REJECTION_MS));
    try {
      return credentials.proof === undefined
        ? await tryPassword(credentials, client, await attemptWithoutProof(credentials, client))
        : await tryWithProof(credentials, credentials.proof, client);
    } catch (error) {
      if (error instanceof Rejection && error.code === 'wrong_credentials') await minimum;
      throw error;
    }
  };

  async function attemptWithoutProof(credentials: Credentials, client: Client | undefined): Promise<Attempt> {
    const { email } = credentials;
    const { lane, source, limits } = chooseLane(settings, credentials, client);
    const begun = BegunSchema.parse(
      await callDatabase('begin_sign_in', { ...limits, proof_limits: [limitByProof(settings, email)] }),
    );
    const nextLevel = Math.max(begun.level, levelOfLane(client));
    if (begun.wait > 0) {
      const challenge = await issueSignInChallenge(settings, email, nextLevel);
      throw new LimitReached('too_many_sign_ins', begun.wait, { challenge });
    }
    const counted = begun.harder ? limits : { ...limits, harder_limits: [] };
    return { lane, source, counted, count: async () => counted, nextLevel };
  }

  async function tryWithProof(
    credentials: Credentials,
    token: string,
    client: Client | undefined,
  ): Promise<Result> {
    const { email } = credentials;
    const proof = verifySignInProof(settings, email, token);
    const seen = seenProofs.get(proof.hash);
    if (seen?.status === 'used' || queuedProofs.has(proof.hash)) throw new Rejection('bot_check_used');
    const needed = Math.max(seen?.level ?? 0, levelOfLane(client));
    if (needed > proof.level) throw await harderProof(email, needed);
    queuedProofs.add(proof.hash);
    try {
      const attempt: Attempt = {
        lane: 'proof',
        source: sourceOf(client),
        count: () => useProof(email, proof),
      };
      return await tryPassword(credentials, client, attempt);
    } finally {
      queuedProofs.delete(proof.hash);
    }
  }

  /** Uses up a proof and counts its attempt. */
  async function useProof(email: string, { hash, level }: SignInProof): Promise<AttemptLimits> {
    const account_limits = [limitByProof(settings, email)];
    const begun = BegunByProofSchema.parse(
      await callDatabase('begin_sign_in_by_proof', {
        key_hash: hash,
        seconds: SIGN_IN_PROOF_LIFETIME_SECONDS + 60,
        account_limits,
        level,
        max_level: MAX_STEP,
      }),
    );
    if (begun.outcome === 'harder') {
      seenProofs.set(hash, { status: 'harder', level: begun.level });
      throw await harderProof(email, begun.level);
    }
    seenProofs.set(hash, { status: 'used' });
    if (begun.outcome === 'used') throw new Rejection('bot_check_used');
    return { limits: [], account_limits, harder_limits: [] };
  }

  async function harderProof(email: string, level: number): Promise<LimitReached> {
    const challenge = await issueSignInChallenge(settings, email, level);
    return new LimitReached('too_many_sign_ins', HARDER_PROOF_WAIT_SECONDS, { challenge });
  }

  /** Returns the level of a proof that the lane `proof` requires, whatever its account. */
  function levelOfLane(client: Client | undefined): number {
    return Math.min(MAX_STEP, Math.floor(lanes.proof.fullnessFor(sourceOf(client)) * (MAX_STEP + 1)));
  }

  /**
   * Tries the password when the attempt's turn comes. The session is opened or revoked before the interval is over:
   * behind a queue, the right password of a user who is no administrator is rejected no later than a wrong one.
   */
  async function tryPassword(
    { email, password }: Credentials,
    client: Client | undefined,
    { lane, source, count, nextLevel, ...attempt }: Attempt,
  ): Promise<Result> {
    let { counted } = attempt;
    const run = async () => {
      counted = await count();
      const tried = await auth.tryPassword({ email, password, client });
      if (tried.outcome !== 'session') return { ...tried, counted };
      return (await openSession(tried.session))
        ? { ...tried, counted }
        : ({ outcome: 'rejected', counted } as const);
    };
    const tried = await lanes[lane].run(source, run).catch(async (error: unknown) => {
      if (counted) await forgive(counted);
      if (!(error instanceof QueueFull)) throw error;
      const body =
        nextLevel === undefined ? {} : { challenge: await issueSignInChallenge(settings, email, nextLevel) };
      throw new Rejection('sign_in_busy', { headers: { 'retry-after': '5' }, body });
    });
    switch (tried.outcome) {
      case 'rejected':
        throw new Rejection('wrong_credentials');
      case 'limited':
        // No password was tried. The ip stays counted, so that a flood reaches its limit.
        await forgive(withoutIpLimits(tried.counted));
        throw new LimitReached('too_many_sign_ins', tried.wait);
      case 'unavailable':
        await forgive(tried.counted);
        throw new Rejection('unavailable', { headers: { 'retry-after': '5' } });
      case 'session':
        await forgive(tried.counted);
        return {
          status: 200,
          body: { session: tried.session, device: issueDeviceToken(settings, email) },
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
