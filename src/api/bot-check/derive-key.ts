import { sha256 } from '@noble/hashes/sha2.js';
import type { DeriveKeyFunction } from 'altcha-lib/types';

/**
 * ALTCHA's `SHA-256`: `cost` rounds over salt and password.
 * In JavaScript, because browsers offer `crypto.subtle` on https and localhost only,
 * and a site may be tried on a plain http URL.
 */
export const deriveKey: DeriveKeyFunction = async ({ cost, keyLength = 32 }, salt, password) => {
  let derivedKey = new Uint8Array(salt.length + password.length);
  derivedKey.set(salt);
  derivedKey.set(password, salt.length);
  for (let round = 0; round < cost; round += 1) derivedKey = sha256(derivedKey);
  return { derivedKey: derivedKey.subarray(0, keyLength) };
};
