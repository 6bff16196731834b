/** The bot check without a third party: a proof of work over a challenge that `bot-check` issued for a domain. */
import { readProof, verifyProof } from '../_shared/proof-of-work.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck } from './bot-check.ts';

export function proofOfWork(settings: Settings): BotCheck {
  return {
    limitsFailures: false,
    read: (token, domain) => {
      const proof = readProof(token);
      if (proof?.challenge.parameters.data.domain !== domain) return undefined;
      const verdict = verifyProof(settings, proof);
      if (verdict === 'wrong') return undefined;
      return {
        identity: proof.challenge.signature,
        verify: async () => (verdict === 'expired' ? 'expired' : 'passed'),
      };
    },
  };
}
