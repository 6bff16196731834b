import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the HMAC-SHA-256 of `text` in hexadecimal, so that the text (a token, an ip, an email) cannot be guessed from
 * what the database stores. The key is derived from the service role's key. Different purposes give unrelated hashes.
 * (Not by `crypto.subtle`, which sends each of them to another thread in Deno: a third of the functions' processor time.)
 */
export function keyedHash(secretKey: string, purpose: string, text: string): string {
  return createHmac('sha256', `domain-storefront/${secretKey}`).update(`${purpose}\n${text}`).digest('hex');
}

/** Compares two signatures in constant time. */
export function isSameSignature(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
