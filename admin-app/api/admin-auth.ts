/**
 * Signing in. The password is sent to the function `admin-auth` and not to the auth server, because only the function
 * counts the attempts, and rejects people who are no administrators.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { type Challenge, WithChallengeSchema } from '#contract/bot-check.ts';
import { type RejectionCode, readRejection } from '#contract/rejections.ts';
import { type Credentials, SignedInSchema } from '#contract/sign-in.ts';

/** Signed in, or the error message. */
export type SignInOutcome = { ok: true } | { ok: false; message: string };

type Client = Pick<SupabaseClient, 'functions' | 'auth'>;

/** What this device adds to the credentials. */
export interface Device {
  readDeviceToken(): Promise<string | undefined>;
  storeDeviceToken(token: string): Promise<void>;
  solveProof(challenge: Challenge): Promise<string>;
}

/** Challenges that are solved for one sign-in; a further one comes where the account's level rose meanwhile. */
const MAX_PROOFS = 3;
const MAX_CALLS_PER_PROOF = 6;
/** The server's `retry-after`. */
const BUSY_PAUSE_MS = 5_000;

export async function signInAsAdmin(
  client: Client,
  publishableKey: string,
  credentials: Credentials,
  device: Device,
  pause = pauseFor,
): Promise<SignInOutcome> {
  const token = await device.readDeviceToken();
  const payload = { ...credentials, ...(token === undefined ? {} : { device: token }) };
  const response = await callWithProofs(
    (proof) => callAdminAuth(client, publishableKey, { ...payload, ...proof }),
    device.solveProof,
    pause,
  );
  // A captive portal responds with 200 as well: only a session is a success.
  const signedIn = SignedInSchema.safeParse(response);
  if (!signedIn.success) return rejected(response);
  if (signedIn.data.device) await device.storeDeviceToken(signedIn.data.device);
  // Fetches the user from the auth server, so it can fail like any other call.
  const { error } = await client.auth.setSession(signedIn.data.session);
  if (!error) return { ok: true };
  console.error('The session could not be installed', error);
  return rejected(undefined);
}

/**
 * Others use up the limits: with a solved challenge the server accepts one more attempt. It may want more work than the
 * challenge said, and its queue may be full; the same proof stays good then.
 */
async function callWithProofs(
  call: (proof: { proof?: string }) => Promise<unknown>,
  solveProof: Device['solveProof'],
  pause: typeof pauseFor,
): Promise<unknown> {
  let response = await call({});
  for (let solved = 0; solved < MAX_PROOFS; solved += 1) {
    const challenged = WithChallengeSchema.safeParse(response);
    if (!challenged.success) return response;
    const proof = await solveProof(challenged.data.challenge).catch(() => undefined);
    if (proof === undefined) return response;
    response = await call({ proof });
    for (let calls = 1; calls < MAX_CALLS_PER_PROOF && isBusy(response); calls += 1) {
      await pause(BUSY_PAUSE_MS);
      response = await call({ proof });
    }
  }
  return response;
}

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The queue was full. */
function isBusy(response: unknown): boolean {
  return readRejection(response).code === ('sign_in_busy' satisfies RejectionCode);
}

/** The body of the response, whatever its status; undefined without one in JSON. */
async function callAdminAuth(client: Client, publishableKey: string, body: Credentials): Promise<unknown> {
  const { data, error, response } = await client.functions.invoke('admin-auth', {
    body,
    // supabase-js would send the token of an older session, or none at all beside a new-style key.
    headers: { Authorization: `Bearer ${publishableKey}` },
  });
  return error ? response?.json().catch(() => undefined) : data;
}

function rejected(body: unknown): SignInOutcome {
  return { ok: false, message: readRejection(body).error ?? 'Authentication failed' };
}
