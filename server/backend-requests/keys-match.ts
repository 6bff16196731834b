import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a key that a request sent with the right one, in constant time. */
export function keysMatch(sent: string | null, right: string): boolean {
  const digest = (key: string) => createHash('sha256').update(key).digest();
  return sent !== null && timingSafeEqual(digest(sent), digest(right));
}
