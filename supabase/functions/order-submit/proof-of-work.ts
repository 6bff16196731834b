/** The bot check without a third party: a proof of work over a challenge that `bot-check` issued for a domain. */
import { BOT_CHECK_ACTION, MAX_STEP } from '../_shared/contract/bot-check.ts';
import { issueChallenge, readProof, verifyProof } from '../_shared/proof-of-work.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck } from './bot-check.ts';

export function proofOfWork(settings: Settings): BotCheck {
  return {
    maxWork: MAX_STEP,
    limitsFailures: false,
    read: async (token, domain) => {
      const proof = readProof(token);
      if (proof?.purpose.action !== BOT_CHECK_ACTION || proof.purpose.domain !== domain) return undefined;
      const verdict = verifyProof(settings, proof);
      if (verdict === 'wrong') return undefined;
      const { identity, step } = proof;
      return {
        identity,
        work: step,
        verify: async () => (verdict === 'expired' ? 'expired' : 'passed'),
        issueHarder: (harder) =>
          issueChallenge(settings, { action: BOT_CHECK_ACTION, domain, replaces: identity }, harder),
      };
    },
  };
}
