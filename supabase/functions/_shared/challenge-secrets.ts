import { keyedHash } from './keyed-hash.ts';

/** The two secrets of a proof of work: over the challenge, and over its answer (so that checking costs no work). */
export async function challengeSecrets(secretKey: string) {
  const [hmacSignatureSecret, hmacKeySignatureSecret] = await Promise.all([
    keyedHash(secretKey, 'proof-of-work', 'challenge'),
    keyedHash(secretKey, 'proof-of-work', 'answer'),
  ]);
  return { hmacSignatureSecret, hmacKeySignatureSecret };
}
