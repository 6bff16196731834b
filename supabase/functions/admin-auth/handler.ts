/**
 * Signs an administrator in. Every refused password (wrong, unknown, banned, unconfirmed, no administrator) is the same
 * answer and comes no sooner than the others, so that nobody learns which accounts there are.
 *
 * Refusals before a password is tried come at once, so that a flood of them holds nothing: the limits count, and the
 * line of those who wait takes or sends away, without asking whether there is such an account.
 */
import { answer, refuse, refuseFor } from '../_shared/answer.ts';
import { CredentialsSchema } from '../_shared/contract/sign-in.ts';
import { clientAddress, type Limit, limitOf } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { type CallDatabase, DatabaseUnavailable } from '../_shared/service.ts';
import type { Settings } from '../_shared/settings.ts';
import type { AuthServer, Session } from './auth-server.ts';

export interface AdminAuth {
  readonly settings: Settings;
  readonly auth: AuthServer;
  readonly callDatabase: CallDatabase;
}

const BODY = { bytes: 4 * 1024, milliseconds: 5_000 };

/**
 * No password is refused before this, in milliseconds. Behind a line it comes later, and tells as little: each try has
 * a beat of its own (waiting-line.ts), and embedded each costs a hash (password-tries.ts).
 */
const EVEN_TIME = 600;

export async function signIn(request: Request, here: AdminAuth): Promise<Response> {
  const body = await readJson(request, BODY);
  if ('refusal' in body) return refuse(request, body.refusal);
  const credentials = CredentialsSchema.safeParse(body.object);
  if (!credentials.success) return refuse(request, 'malformed');
  const evenTime = new Promise((resolve) => setTimeout(resolve, EVEN_TIME));
  try {
    const response = await attempt(request, here, credentials.data.email, credentials.data.password);
    if (response.status === 401) await evenTime;
    return response;
  } catch (error) {
    noteUnavailable(error);
    return refuse(request, 'unavailable', {}, { 'retry-after': '5' });
  }
}

/** @throws what is anything else */
function noteUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error;
  console.error(JSON.stringify({ event: 'database_unavailable', reason: error.message }));
}

async function attempt(
  request: Request,
  here: AdminAuth,
  email: string,
  password: string,
): Promise<Response> {
  const { settings, auth, callDatabase } = here;
  const address = clientAddress(request, settings);
  const { ofAddress, ofPair, ofAccount, underAttack } = await limitsOf(
    settings,
    email.toLowerCase(),
    address,
  );
  const counted = (...limits: Limit[]) => ({
    limits,
    account_limits: [ofAccount],
    harder_limits: [underAttack],
  });
  /** What becomes of the attempt does not depend on it. */
  const giveBack = (limits: ReturnType<typeof counted>) =>
    callDatabase('forgive_sign_in', limits).catch(noteUnavailable);

  const wait = Number(await callDatabase('begin_sign_in', counted(ofAddress, ofPair)));
  if (wait > 0) return refuseFor(request, 'too_many_sign_ins', wait);

  const tried = await auth.tryPassword(email, password, address);
  if (tried.outcome === 'refused') return refuse(request, 'wrong_credentials');
  if (tried.outcome !== 'session') {
    // No password was tried, so none was wrong. The address alone stays counted: a flood must end some time.
    await giveBack(counted(ofPair));
    if (tried.outcome === 'limited') return refuseFor(request, 'too_many_sign_ins', tried.wait);
    return refuse(request, 'unavailable', {}, { 'retry-after': '5' });
  }

  if (!(await isAdministrator(here, tried.session))) return refuse(request, 'wrong_credentials');
  await giveBack(counted(ofAddress, ofPair));
  return answer(request, 200, { session: tried.session });
}

/** Whoever is none gets no session, and none stays open either, also when the question could not be asked. */
async function isAdministrator({ auth, callDatabase }: AdminAuth, session: Session): Promise<boolean> {
  let administrator = false;
  try {
    administrator = (await callDatabase('is_administrator', { user_id: session.user.id })) === true;
  } finally {
    if (!administrator) await auth.revoke(session);
  }
  return administrator;
}

interface Limits {
  readonly ofAddress: Limit;
  /** Of this account from this address. */
  readonly ofPair: Limit;
  readonly ofAccount: Limit;
  /** The few attempts that each visitor of an account has that is past its own limit. */
  readonly underAttack: Limit;
}

async function limitsOf(settings: Settings, account: string, address: string | undefined): Promise<Limits> {
  const pair = `${account}\n${address ?? ''}`;
  return {
    ofAddress: await (address === undefined
      ? limitOf(settings, 'sign-in.unknown-address', '')
      : limitOf(settings, 'sign-in.address', address)),
    ofPair: await limitOf(settings, 'sign-in.account-and-address', pair),
    ofAccount: await limitOf(settings, 'sign-in.account', account),
    underAttack: await limitOf(settings, 'sign-in.account-under-attack', pair),
  };
}
