/**
 * How a tool recognizes the running product before it sends the secret key: the product returns an HMAC that only an
 * owner of the key can compute. The HMAC covers the origin, so that another process cannot forward the challenge.
 */
import { createHmac } from 'node:crypto';

/** Separates this use of the secret key from every other one. */
const KEY_PURPOSE = 'domain-storefront/control/ping';

/** A challenge: 32 random bytes in base64url. */
export const CHALLENGE = /^[\w-]{43}$/;

/** @param origin where the process listens, such as http://127.0.0.1:54321 */
export function proveIdentity(secretKey: string, origin: string, challenge: string): string {
  const key = createHmac('sha256', secretKey).update(KEY_PURPOSE).digest();
  return createHmac('sha256', key).update(`${origin}\n${challenge}`).digest('base64url');
}
