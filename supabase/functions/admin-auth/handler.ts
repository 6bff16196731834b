/**
 * Signs an administrator in. Every rejected password (wrong, unknown, banned, unconfirmed, no administrator) gets the
 * same response, and no sooner than the others, so that nobody finds out which accounts exist.
 *
 * An attempt takes one of three lanes, each with its own limits and its own queue, so that a flood in one locks nobody
 * out: `device` with the device token of an earlier sign-in, `proof` with a solved proof of work, `open` with neither.
 * Where an attempt is rejected before its password was tried, the response has a challenge for the lane `proof`.
 *
 * Such rejections come at once, so that a flood of them keeps nothing busy; they do not depend on the account's existence.
 */
import { answer, refuse, refuseFor } from '../_shared/answer.ts';
import { type ClientAddress, clientAddress } from '../_shared/client-address.ts';
import { PROOF_LIFETIME_SECONDS, SIGN_IN_ACTION } from '../_shared/contract/bot-check.ts';
import type { RefusalCode } from '../_shared/contract/refusals.ts';
import { type Credentials, CredentialsSchema } from '../_shared/contract/sign-in.ts';
import { fifoCache } from '../_shared/fifo-cache.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { logError } from '../_shared/log.ts';
import { issueChallenge, readProof, verifyProof } from '../_shared/proof-of-work.ts';
import { accountOf, type Limit, limitOf, limitOfAddress } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { type CallDatabase, DatabaseUnavailable } from '../_shared/service.ts';
import type { Settings } from '../_shared/settings.ts';
import type { AuthServer, Lane, Session } from './auth-server.ts';
import { deviceOf, issueDeviceToken } from './device-token.ts';

export interface AdminAuth {
  readonly settings: Settings;
  readonly auth: AuthServer;
  readonly callDatabase: CallDatabase;
}

const BODY = { bytes: 4 * 1024, milliseconds: 5_000 };

/**
 * No password is rejected sooner, in milliseconds. Behind a queue it is rejected later, and that tells as little: each
 * attempt has an interval of its own (queue.ts), and embedded each costs a hash (password-tries.ts).
 */
const MIN_REJECTION_MS = 600;

/** Used proofs that are in memory, so that one sent again costs no call of the database. */
const MAX_USED_PROOFS = 10_000;

/** The limits that an attempt counts in, as `begin_sign_in` takes them. */
interface Limits {
  readonly limits: Limit[];
  readonly account_limits: Limit[];
  /** The few attempts that remain to each address while the account is past its own limit. */
  readonly harder_limits: Limit[];
}

interface ChosenLane extends Limits {
  readonly lane: Lane;
  readonly source: string;
}

/** The handler; it holds the queues and what it remembers of proofs. */
export function createSignIn({ settings, auth, callDatabase }: AdminAuth) {
  const usedProofs = fifoCache<true>(MAX_USED_PROOFS);

  return async (request: Request): Promise<Response> => {
    const body = await readJson(request, BODY);
    if ('refusal' in body) return refuse(request, body.refusal);
    const credentials = CredentialsSchema.safeParse(body.object);
    if (!credentials.success) return refuse(request, 'malformed');
    const minimum = new Promise((resolve) => setTimeout(resolve, MIN_REJECTION_MS));
    try {
      const response = await signIn(request, credentials.data);
      if (response.status === 401) await minimum;
      return response;
    } catch (error) {
      logUnavailable(error);
      return refuseUnavailable(request);
    }
  };

  async function signIn(request: Request, credentials: Credentials): Promise<Response> {
    const { email, password } = credentials;
    const address = clientAddress(request, settings);
    const chosen = await chooseLane(credentials, address);
    if (typeof chosen === 'string') return refuse(request, chosen);
    const { lane, source, ...limits } = chosen;
    const challenge = async () =>
      lane !== 'proof' ? { challenge: await issueChallenge(settings, { action: SIGN_IN_ACTION }, 0) } : {};

    // The proof lane has no limits: its proof is used up, and its queue bounds what comes through.
    const wait = lane === 'proof' ? 0 : Number(await callDatabase('begin_sign_in', { ...limits }));
    if (wait > 0) return refuseFor(request, 'too_many_sign_ins', wait, await challenge());

    const tried = await auth.tryPassword({ lane, email, password, address, source });
    switch (tried.outcome) {
      case 'rejected':
        return refuse(request, 'wrong_credentials');
      case 'limited':
        // No password was tried. The address stays counted: a flood must end some time.
        await giveBack({ ...limits, limits: limits.limits.filter(isOfAccount) });
        return refuseFor(request, 'too_many_sign_ins', tried.wait);
      case 'full':
        await giveBack(limits);
        return refuseUnavailable(request, await challenge());
      case 'unavailable':
        await giveBack(limits);
        return refuseUnavailable(request);
    }
    return await openSession(request, email, tried.session, limits);
  }

  /** @throws DatabaseUnavailable after the session was revoked */
  async function openSession(
    request: Request,
    email: string,
    session: Session,
    limits: Limits,
  ): Promise<Response> {
    let opened = false;
    try {
      opened =
        (await callDatabase('open_admin_session', {
          user_id: session.user.id,
          session_id: sessionIdOf(session.access_token),
          hours: settings.sessionHours,
          idle_minutes: settings.sessionIdleMinutes,
        })) === true;
    } catch (error) {
      await giveBack(limits);
      throw error;
    } finally {
      if (!opened) await auth.revoke(session);
    }
    if (!opened) return refuse(request, 'wrong_credentials');
    await giveBack(limits);
    return answer(request, 200, { session, device: await issueDeviceToken(settings, email) });
  }

  /** The lane of an attempt, or why it has none. */
  async function chooseLane(
    { email, device, proof }: Credentials,
    address: ClientAddress | undefined,
  ): Promise<ChosenLane | RefusalCode> {
    const network = address?.widerNetworks?.[48] ?? address?.network ?? '';
    if (proof !== undefined) {
      const problem = await consumeProof(proof);
      if (problem) return problem;
      return { lane: 'proof', source: network, limits: [], account_limits: [], harder_limits: [] };
    }
    if (device !== undefined) {
      const id = await deviceOf(settings, email, device);
      // One that is not valid (any more) is as good as none.
      if (id !== undefined) {
        const limits = [await limitOf(settings, 'sign-in.device', id)];
        return { lane: 'device', source: id, limits, account_limits: [], harder_limits: [] };
      }
    }
    const account = accountOf(email);
    const pair = `${account}\n${address?.network ?? ''}`;
    const wider = address?.widerNetworks;
    const limits = await Promise.all([
      limitOfAddress(settings, 'sign-in', address),
      ...(wider
        ? [
            limitOf(settings, 'sign-in.network-56', wider[56]),
            limitOf(settings, 'sign-in.network-48', wider[48]),
          ]
        : []),
      limitOf(settings, 'sign-in.account-and-address', pair),
    ]);
    return {
      lane: 'open',
      source: network,
      limits,
      account_limits: [await limitOf(settings, 'sign-in.account', account)],
      harder_limits: [await limitOf(settings, 'sign-in.account-under-attack', pair)],
    };
  }

  /** Uses a proof up. Returns why it is not accepted, if so. */
  async function consumeProof(token: string): Promise<RefusalCode | undefined> {
    const proof = readProof(token);
    if (proof?.purpose.action !== SIGN_IN_ACTION) return 'bot_check_failed';
    const verdict = await verifyProof(settings, proof);
    if (verdict !== 'solved') return verdict === 'expired' ? 'bot_check_expired' : 'bot_check_failed';
    const key_hash = await keyedHash(settings.secretKey, 'sign-in-proof', proof.identity);
    if (usedProofs.get(key_hash)) return 'bot_check_used';
    const first = await callDatabase('use_once', { key_hash, seconds: PROOF_LIFETIME_SECONDS + 60 });
    usedProofs.set(key_hash, true);
    return first === true ? undefined : 'bot_check_used';
  }

  /** The response does not depend on it. */
  async function giveBack(limits: Limits): Promise<void> {
    if (limits.limits.length === 0) return;
    await callDatabase('forgive_sign_in', { ...limits }).catch(logUnavailable);
  }
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

function refuseUnavailable(request: Request, about: Parameters<typeof refuse>[4] = {}): Response {
  return refuse(request, 'unavailable', {}, { 'retry-after': '5' }, about);
}

/** @throws every other error */
function logUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error;
  logError('admin-auth', 'database_unavailable', error.message);
}
