/** The bot check without a third party: a proof of work over a challenge that `bot-check` signed. */
import { verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { challengeSecrets } from '../_shared/challenge-secrets.ts';
import { BOT_CHECK_ACTION, type Proof, ProofSchema } from '../_shared/contract/bot-check.ts';
import type { Settings } from '../_shared/settings.ts';
import { type BotCheck, EXPIRED, FAILED, PASSED } from './bot-check.ts';

export function proofOfWork(settings: Settings): BotCheck {
  return {
    // The signature is the challenge's own; the rest of a token can be written in many ways.
    identify: (token) => readProof(token)?.challenge.signature,
    verify: async (token) => {
      const proof = readProof(token);
      if (!proof || !isForOffers(proof)) return FAILED;
      const result = await verifySolution({
        ...proof,
        deriveKey,
        ...(await challengeSecrets(settings.secretKey)),
      }).catch(() => undefined);
      if (result?.expired) return EXPIRED;
      return result?.verified ? PASSED : FAILED;
    },
  };
}

function isForOffers({ challenge }: Proof): boolean {
  const { data } = challenge.parameters;
  return typeof data === 'object' && data !== null && 'action' in data && data.action === BOT_CHECK_ACTION;
}

function readProof(token: string): Proof | undefined {
  try {
    return ProofSchema.parse(JSON.parse(atob(token)));
  } catch {
    return undefined;
  }
}
