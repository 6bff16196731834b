import type { Client } from '../_shared/client-ip.ts';
import type { Challenge } from '../_shared/contract/bot-check.ts';

/** The server's side of a bot check. `order-submit` works the same with each of its two providers. */
export interface BotCheck {
  /** The hardest step that a token can be made for; an offer on a higher one is stored as held. */
  readonly maxWork: number;
  /** Whether a rejected token counts against its client's ip: verifying one takes a request to a third party. */
  readonly limitsFailures: boolean;
  /**
   * Reads a token without any request. Undefined if it is no token for an offer for this domain.
   * @param sentTo the host that the offer was sent to, if it is known
   */
  read(token: string, domain: string, sentTo: string | undefined): Promise<BotCheckToken | undefined>;
}

export interface BotCheckToken {
  /** The same for all tokens made from one solved check, because each check is valid for one offer. */
  readonly identity: string;
  /** The step that its work is enough for. */
  readonly work: number;
  /** Verifies that the visitor passed the check on this site, recently and for this purpose. */
  verify(client: Client | undefined): Promise<BotCheckVerdict>;
  /** Issues a challenge for the same offer that takes more work; absent if the provider has none. */
  issueHarder?(step: number): Promise<Challenge>;
}

export type BotCheckVerdict = 'passed' | 'failed' | 'expired' | 'unavailable';
