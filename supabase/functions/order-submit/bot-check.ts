import type { Client } from '../_shared/client-ip.ts';
import type { Challenge } from '../_shared/contract/bot-check.ts';
import type { RejectionCode } from '../_shared/contract/rejections.ts';

/** The server's side of a bot check. `order-submit` works the same with each of its two providers. */
export interface BotCheck {
  /** The hardest step that a token can be made for; an offer on a higher one is stored as held. */
  readonly maxWork: number;
  /** Whether a rejected token counts against its client's ip: verifying one takes a request to a third party. */
  readonly limitsFailures: boolean;
  /** Reads a token without a request to anybody. Undefined: it is no token for an offer for this domain. */
  read(token: string, domain: string): Promise<BotCheckToken | undefined>;
}

export interface BotCheckToken {
  /**
   * What of a token is good for one offer. Two tokens made from one solved check have the same identity, or one check
   * would be good for many offers.
   */
  readonly identity: string;
  /** The step that its work is enough for. */
  readonly work: number;
  /** Whether its visitor passed the check on this site, recently and for this purpose. */
  verify(client: Client | undefined): Promise<BotCheckVerdict>;
  /** A challenge for the same offer that takes more work; absent where the provider has none. */
  issueHarder?(step: number): Promise<Challenge>;
}

export type BotCheckVerdict =
  | { passed: true }
  | { passed: false; rejection: Extract<RejectionCode, `bot_check_${string}`> };

export const PASSED: BotCheckVerdict = { passed: true };
export const FAILED: BotCheckVerdict = { passed: false, rejection: 'bot_check_failed' };
export const EXPIRED: BotCheckVerdict = { passed: false, rejection: 'bot_check_expired' };
export const UNAVAILABLE: BotCheckVerdict = { passed: false, rejection: 'bot_check_unavailable' };
