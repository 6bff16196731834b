/**
 * Signing in. The password goes to the function `admin-auth` and not to the auth server, because only the
 * function counts the attempts and turns away people who are no administrators.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { RefusalSchema } from '#contract/refusals.ts';
import { type Credentials, SignedInSchema } from '#contract/sign-in.ts';

/** Signed in, or the sentence that says why not. */
export type SignInOutcome = { ok: true } | { ok: false; message: string };

type Client = Pick<SupabaseClient, 'functions' | 'auth'>;

export async function signInAsAdmin(
  client: Client,
  publishableKey: string,
  credentials: Credentials,
): Promise<SignInOutcome> {
  const { data, error, response } = await client.functions.invoke('admin-auth', {
    body: credentials,
    // supabase-js would send the token of an older session, or none at all beside a new-style key.
    headers: { Authorization: `Bearer ${publishableKey}` },
  });
  if (error) return refused(await bodyOf(response));
  // A captive portal answers 200 as well: only a session is a success.
  const signedIn = SignedInSchema.safeParse(data);
  if (!signedIn.success) return refused(data);
  return install(client, signedIn.data.session);
}

/** Installing asks the auth server who this is, so it can fail like any other call. */
async function install(
  client: Client,
  session: { access_token: string; refresh_token: string },
): Promise<SignInOutcome> {
  const { error } = await client.auth.setSession(session);
  if (!error) return { ok: true };
  console.error('The session could not be installed', error);
  return refused(undefined);
}

function refused(body: unknown): SignInOutcome {
  const refusal = RefusalSchema.safeParse(body);
  return { ok: false, message: refusal.success ? refusal.data.error : 'Authentication failed' };
}

/** What the server said with its refusal, where it said something in JSON. The body can be read only once. */
async function bodyOf(response: Response | undefined): Promise<unknown> {
  try {
    return await response?.json();
  } catch {
    return undefined;
  }
}
