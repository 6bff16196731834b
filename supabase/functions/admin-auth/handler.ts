/**
 * Signs an administrator in. Every rejected password (wrong, unknown, banned, unconfirmed, no administrator) gets the
 * same response, and no sooner than the others, so that nobody finds out which accounts exist.
 *
 * An attempt takes one of three lanes, each with its own limits and its own queue, so that a flood in one locks nobody
 * out: `device` with the device token of an earlier sign-in, `proof` with a solved proof of work, `open` with neither.
 * Where an attempt of the others is rejected before its password was tried, the response has a challenge for the lane
 * `proof`, bound to the account. That lane is exempt from the limits of ips, but counts the attempts of each account:
 * with every 20 the next proof takes twice the work. A proof whose work is not enough gets a challenge that is.
 *
 * Such rejections come at once, so that a flood of them keeps nothing busy; they do not depend on the account's existence.
 */
import * as z from 'zod/mini';
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Client, readClient } from '../_shared/client-ip.ts';
import {
  type Challenge,
  MAX_STEP,
  SIGN_IN_ACTION,
  SIGN_IN_PROOF_LIFETIME_SECONDS,
} from '../_shared/contract/bot-check.ts';
import { type Credentials, CredentialsSchema } from '../_shared/contract/sign-in.ts';
import { fifoCache } from '../_shared/fifo-cache.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { logError } from '../_shared/log.ts';
import { issueChallenge, readProof, verifyProof } from '../_shared/proof-of-work.ts';
import { accountOf, type Limit, limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { DatabaseUnavailable, LimitReached, Rejection, type RejectionDetails } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import type { AuthServer, Session } from './auth-server.ts';
import { deviceOf, issueDeviceToken } from './device-token.ts';
import type { Lane } from './lanes.ts';
import type { Place, Queue } from './queue.ts';

export interface AdminAuth {
  readonly settings: Settings;
  readonly auth: AuthServer;
  readonly lanes: Record<Lane, Queue>;
  readonly callDatabase: CallDatabase;
}

const BODY_BOUNDS = { maxBytes: 4 * 1024, timeoutMs: 5_000 };

/**
 * No password is rejected sooner, in milliseconds. Behind a queue it is rejected later, which reveals as little: each
 * attempt has an interval of its own (queue.ts), and embedded each costs a hash (password-tries.ts).
 */
const MIN_REJECTION_MS = 600;

/** When to come back with a proof of more work, in seconds, for clients that do not solve the challenge at once. */
const HARDER_PROOF_WAIT_SECONDS = 60;

/** Used proofs that are in memory, so that one sent again costs no call of the database. */
const MAX_USED_PROOFS = 10_000;

/** The limits that an attempt counts in, as `begin_sign_in` takes them. */
interface Limits {
  readonly limits: Limit[];
  readonly account_limits: Limit[];
  /** The few attempts that remain to each ip while the account is past its own limit. */
  readonly harder_limits: Limit[];
}

interface ChosenLane extends Limits {
  readonly lane: Exclude<Lane, 'proof'>;
  /** What the attempt comes from, as its queue counts. */
  readonly source: string;
}

/** What `begin_sign_in` returns: seconds to wait, whether `harder_limits` were counted, and the level of a proof. */
const BegunSchema = z.object({ wait: z.number(), harder: z.boolean(), level: z.number() });

/** What `begin_sign_in_by_proof` returns. */
const BegunByProofSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('begun') }),
  z.object({ outcome: z.literal('used') }),
  z.object({ outcome: z.literal('harder'), level: z.number() }),
]);

/** The handler; it holds what it remembers of proofs. */
export function createSignIn({ settings, auth, lanes, callDatabase }: AdminAuth): Handler {
  const usedProofs = fifoCache<true>(MAX_USED_PROOFS);

  return async (request) => {
    const credentials = CredentialsSchema.safeParse(await readJson(request, BODY_BOUNDS));
    if (!credentials.success) throw new Rejection('malformed');
    const minimum = new Promise((resolve) => setTimeout(resolve, MIN_REJECTION_MS));
    return await signIn(request, credentials.data).catch(async (error: unknown) => {
      if (error instanceof Rejection && error.code === 'wrong_credentials') await minimum;
      throw error;
    });
  };

  async function signIn(request: Request, credentials: Credentials): Promise<Result> {
    const { email, proof } = credentials;
    const client = readClient(request, settings);
    if (proof !== undefined) return await signInByProof(credentials, proof, client);
    const { lane, source, ...limits } = await chooseLane(credentials, client);
    const proofLimits = [await limitByProof(email)];
    const begun = BegunSchema.parse(
      await callDatabase('begin_sign_in', { ...limits, proof_limits: proofLimits }),
    );
    if (begun.wait > 0) {
      throw new LimitReached('too_many_sign_ins', begun.wait, await challengeFor(email, begun.level));
    }
    const counted = { ...limits, harder_limits: begun.harder ? limits.harder_limits : [] };
    const place = lanes[lane].reserve(source);
    if (!place) {
      await giveBack(counted);
      throw busy(await challengeFor(email, begun.level));
    }
    return await tryPassword(credentials, client, place, counted);
  }

  async function signInByProof(
    credentials: Credentials,
    token: string,
    client: Client | undefined,
  ): Promise<Result> {
    const { email } = credentials;
    const proof = readProof(token);
    if (proof?.purpose.action !== SIGN_IN_ACTION || proof.purpose.account !== (await accountHash(email))) {
      throw new Rejection('bot_check_failed');
    }
    const verdict = await verifyProof(settings, proof);
    if (verdict !== 'solved') {
      throw new Rejection(verdict === 'expired' ? 'bot_check_expired' : 'bot_check_failed');
    }
    const key_hash = await keyedHash(settings.secretKey, 'sign-in-proof', proof.identity);
    if (usedProofs.get(key_hash)) throw new Rejection('bot_check_used');
    // The place comes first: where there is none, the proof stays good.
    const place = lanes.proof.reserve(networkOf(client));
    if (!place) throw busy();
    const account_limits = [await limitByProof(email)];
    let tried = false;
    try {
      const begun = BegunByProofSchema.parse(
        await callDatabase('begin_sign_in_by_proof', {
          key_hash,
          seconds: SIGN_IN_PROOF_LIFETIME_SECONDS + 60,
          account_limits,
          level: proof.step,
          max_level: MAX_STEP,
        }),
      );
      if (begun.outcome === 'harder') {
        const challenge = await challengeFor(email, begun.level);
        throw new LimitReached('too_many_sign_ins', HARDER_PROOF_WAIT_SECONDS, challenge);
      }
      usedProofs.set(key_hash, true);
      if (begun.outcome === 'used') throw new Rejection('bot_check_used');
      tried = true;
    } finally {
      if (!tried) place.release();
    }
    const counted = { limits: [], account_limits, harder_limits: [] };
    return await tryPassword(credentials, client, place, counted);
  }

  /**
   * Tries the password when the turn of its place comes. The session is opened or revoked before the interval is over:
   * behind a queue, a right password of somebody who is no administrator is rejected no later than a wrong one.
   */
  async function tryPassword(
    { email, password }: Credentials,
    client: Client | undefined,
    place: Place,
    counted: Limits,
  ): Promise<Result> {
    const attempt = async () => {
      const tried = await auth.tryPassword({ email, password, client });
      return tried.outcome === 'session' ? { ...tried, opened: await openSession(tried.session) } : tried;
    };
    const tried = await place.run(attempt).catch(async (error: unknown) => {
      await giveBack(counted);
      throw error;
    });
    switch (tried.outcome) {
      case 'rejected':
        throw new Rejection('wrong_credentials');
      case 'limited':
        // No password was tried. The ip stays counted, so that a flood reaches its limit.
        await giveBack({ ...counted, limits: counted.limits.filter(isOfAccount) });
        throw new LimitReached('too_many_sign_ins', tried.wait);
      case 'unavailable':
        await giveBack(counted);
        throw new Rejection('unavailable', { headers: { 'retry-after': '5' } });
    }
    if (!tried.opened) throw new Rejection('wrong_credentials');
    await giveBack(counted);
    const device = await issueDeviceToken(settings, email);
    return { status: 200, body: { session: tried.session, device } };
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
          session_id: sessionIdOf(session.access_token),
          hours: settings.sessionHours,
          idle_minutes: settings.sessionIdleMinutes,
        })) === true;
    } finally {
      if (!opened) await auth.revoke(session);
    }
    return opened;
  }

  /** The lane of an attempt without a proof. */
  async function chooseLane({ email, device }: Credentials, client: Client | undefined): Promise<ChosenLane> {
    const account = accountOf(email);
    if (device !== undefined) {
      const id = await deviceOf(settings, email, device);
      // One that is not valid (any more) is as good as none.
      if (id !== undefined) {
        const limits = await Promise.all([
          limitOf(settings, 'sign-in.device', id),
          limitOf(settings, 'sign-in.account-by-device', account),
        ]);
        // All devices of an account are one source: a former administrator may have many tokens.
        return { lane: 'device', source: account, limits, account_limits: [], harder_limits: [] };
      }
    }
    const pair = `${account}\n${client?.network ?? ''}`;
    return {
      lane: 'open',
      source: networkOf(client),
      limits: [
        ...(await limitsOfSender(settings, 'sign-in', client)),
        await limitOf(settings, 'sign-in.account-and-address', pair),
      ],
      account_limits: [await limitOf(settings, 'sign-in.account', account)],
      harder_limits: [await limitOf(settings, 'sign-in.account-under-attack', pair)],
    };
  }

  function limitByProof(email: string): Promise<Limit> {
    return limitOf(settings, 'sign-in.account-by-proof', accountOf(email));
  }

  /** A challenge whose proof is good for this account. */
  async function challengeFor(email: string, level: number): Promise<{ challenge: Challenge }> {
    const purpose = { action: SIGN_IN_ACTION, account: await accountHash(email) } as const;
    return { challenge: await issueChallenge(settings, purpose, level) };
  }

  function accountHash(email: string): Promise<string> {
    return keyedHash(settings.secretKey, 'sign-in-proof-account', accountOf(email));
  }

  /** The response does not depend on it. */
  async function giveBack(limits: Limits): Promise<void> {
    await callDatabase('forgive_sign_in', { ...limits }).catch(logUnavailable);
  }
}

/** What counts as one source of attempts: an IPv4 or an IPv6 /48. */
function networkOf(client: Client | undefined): string {
  return client?.widerNetworks?.[48] ?? client?.network ?? '';
}

function isOfAccount({ bucket }: Limit): boolean {
  return bucket === 'sign-in.account-and-address';
}

/** The claim `session_id` of an access token; empty where there is none, which opens no session. */
function sessionIdOf(accessToken: string): string {
  try {
    const payload = accessToken.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const id = (claims as { session_id?: unknown }).session_id;
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

/** The queue is full; no password was tried, and no proof used up. */
function busy(body: RejectionDetails['body'] = {}): Rejection {
  return new Rejection('sign_in_busy', { headers: { 'retry-after': '5' }, body });
}

/** @throws every other error */
function logUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error;
  logError('admin-auth', 'database_unavailable', error.message);
}
