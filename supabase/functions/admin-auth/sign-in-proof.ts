/** Proofs of work for one attempt to sign in, bound to an account. */
import { type Challenge, SIGN_IN_ACTION } from '../_shared/contract/bot-check.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { issueChallenge, readProof, verifyProof } from '../_shared/proof-of-work.ts';
import { accountOf } from '../_shared/rate-limits.ts';
import { Rejection } from '../_shared/rejection.ts';
import type { Settings } from '../_shared/settings.ts';

export interface SignInProof {
  /** Identifies the proof, so that it is used once. */
  readonly hash: string;
  /** The level that its work is enough for. */
  readonly level: number;
}

export async function issueSignInChallenge(
  settings: Settings,
  email: string,
  level: number,
): Promise<Challenge> {
  const purpose = { action: SIGN_IN_ACTION, account: accountHash(settings, email) } as const;
  return await issueChallenge(settings, purpose, level);
}

/** @throws Rejection unless the token is a valid proof for this account */
export function verifySignInProof(settings: Settings, email: string, token: string): SignInProof {
  const proof = readProof(token);
  if (proof?.purpose.action !== SIGN_IN_ACTION || proof.purpose.account !== accountHash(settings, email)) {
    throw new Rejection('bot_check_failed');
  }
  const verdict = verifyProof(settings, proof);
  if (verdict === 'wrong') throw new Rejection('bot_check_failed');
  if (verdict === 'expired') throw new Rejection('bot_check_expired');
  return { hash: keyedHash(settings.secretKey, 'sign-in-proof', proof.identity), level: proof.step };
}

function accountHash({ secretKey }: Settings, email: string): string {
  return keyedHash(secretKey, 'sign-in-proof-account', accountOf(email));
}
