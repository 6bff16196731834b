/**
 * Signing in. The password is sent to the function `admin-auth` and not to the auth server, because only the function
 * counts the attempts, and rejects people who are no administrators.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { readRejection } from '#contract/rejections.ts';
import { type Credentials, SignedInSchema } from '#contract/sign-in.ts';

/** Signed in, or the error message. */
export type SignInOutcome =
  /** `recoveryCodesLeft`: after a sign-in by one. */
  | { ok: true; recoveryCodesLeft?: number | undefined }
  /** `code`: of the rejection. */
  | { ok: false; message: string; code?: string | undefined };

type Client = Pick<SupabaseClient, 'functions' | 'auth'>;

/** What this device adds to the credentials. */
export interface Device {
  readDeviceToken(): Promise<string | undefined>;
  storeDeviceToken(token: string): Promise<void>;
}

export async function signInAsAdmin(
  client: Client,
  publishableKey: string,
  credentials: Credentials,
  device: Device,
): Promise<SignInOutcome> {
  const token = await device.readDeviceToken();
  const payload = { ...credentials, ...(token === undefined ? {} : { device: token }) };
  const response = await callAdminAuth(client, publishableKey, payload);
  // A captive portal responds with 200 as well: only a session is a success.
  const signedIn = SignedInSchema.safeParse(response);
  if (!signedIn.success) return rejected(response);
  if (signedIn.data.device) await device.storeDeviceToken(signedIn.data.device);
  // Not `setSession`, which compares the token's end with the browser's clock. A request, so it can fail like any other call.
  const { error } = await client.auth.refreshSession(signedIn.data.session);
  const left = signedIn.data.recovery_codes_left;
  if (!error) return { ok: true, ...(left !== undefined && { recoveryCodesLeft: left }) };
  console.error('The session could not be installed', error);
  return rejected(undefined);
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
  const { error = 'Authentication failed', code } = readRejection(body);
  return { ok: false, message: error, ...(code !== undefined && { code }) };
}
