import { createChallenge, randomInt } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { answer, refuse } from '../_shared/answer.ts';
import { challengeSecrets } from '../_shared/challenge-secrets.ts';
import { BOT_CHECK_ACTION, PROOF_LIFETIME_SECONDS, PROOF_WORK } from '../_shared/contract/bot-check.ts';
import type { Settings } from '../_shared/settings.ts';

/**
 * A fresh, signed challenge. It costs the server 64 hashes and the visitor thousands of times as many, keeps no
 * state, and needs no limit. Where Turnstile is the bot check there are no challenges.
 */
export async function giveChallenge(request: Request, settings: Settings): Promise<Response> {
  if (settings.turnstile) return refuse(request, 'not_found');
  const challenge = await createChallenge({
    algorithm: PROOF_WORK.algorithm,
    cost: PROOF_WORK.cost,
    counter: randomInt(PROOF_WORK.max, PROOF_WORK.min),
    deriveKey,
    data: { action: BOT_CHECK_ACTION },
    expiresAt: Math.floor(Date.now() / 1000) + PROOF_LIFETIME_SECONDS,
    ...(await challengeSecrets(settings.secretKey)),
  });
  return answer(request, 200, challenge);
}
