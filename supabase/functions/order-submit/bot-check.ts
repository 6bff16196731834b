import type { RefusalCode } from '../_shared/contract/refusals.ts';

/** The server's side of a bot check; two providers have it, and `order-submit` does not know which one asks. */
export interface BotCheck {
  /**
   * What of a token is good for one offer. Two tokens made from one solved check must give the same text, or one
   * check would be good for many offers. Undefined: this is no token at all.
   */
  identify(token: string): string | undefined;
  /**
   * Whether the token stands for a visitor who passed the check here, lately, for this purpose.
   * @param address the visitor's, where it is known
   */
  verify(token: string, address: string | undefined): Promise<BotCheckVerdict>;
}

export type BotCheckVerdict =
  | { passed: true }
  | { passed: false; refusal: Extract<RefusalCode, `bot_check_${string}`> };

export const PASSED: BotCheckVerdict = { passed: true };
export const FAILED: BotCheckVerdict = { passed: false, refusal: 'bot_check_failed' };
export const EXPIRED: BotCheckVerdict = { passed: false, refusal: 'bot_check_expired' };
export const UNAVAILABLE: BotCheckVerdict = { passed: false, refusal: 'bot_check_unavailable' };
