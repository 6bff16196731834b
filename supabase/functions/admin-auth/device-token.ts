/**
 * Device tokens: proof that an administrator signed in on this device before. With one, an administrator can sign in
 * while an attack uses up every other limit. The password is still required.
 */
import { isSameSignature, keyedHash } from '../_shared/keyed-hash.ts';
import { accountOf } from '../_shared/rate-limits.ts';
import type { Settings } from '../_shared/settings.ts';

/** 180 days. */
const DEVICE_LIFETIME_SECONDS = 180 * 86_400;

/** Seconds since 1970, a random id, and the signature over both and the account. */
const TOKEN = /^(\d{10})\.([0-9a-f]{32})\.([0-9a-f]{64})$/;

/** Issues a token for an account. */
export function issueDeviceToken(settings: Settings, email: string): string {
  const issuedAt = String(Math.floor(Date.now() / 1000));
  const id = crypto.randomUUID().replaceAll('-', '');
  return `${issuedAt}.${id}.${signatureOf(settings, email, issuedAt, id)}`;
}

/** Returns the id of a token's device. Undefined if the token is forged, expired or of another account. */
export function deviceOf(settings: Settings, email: string, token: string): string | undefined {
  const [, issuedAt = '', id = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!isSameSignature(signature, signatureOf(settings, email, issuedAt, id))) return undefined;
  const age = Date.now() / 1000 - Number(issuedAt);
  return age <= DEVICE_LIFETIME_SECONDS ? id : undefined;
}

function signatureOf({ secretKey }: Settings, email: string, issuedAt: string, id: string): string {
  const account = keyedHash(secretKey, 'device-account', accountOf(email));
  return keyedHash(secretKey, 'device', `${account}\n${issuedAt}\n${id}`);
}
