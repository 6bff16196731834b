import type { Client } from '../_shared/client-ip.ts';

/** The server's side of a bot check. `order-submit` works the same with each of its two providers. */
export interface BotCheck {
  /** Whether verifying a token takes a request to a third party, so that rejected ones count against their IP. */
  readonly limitsFailures: boolean;
  /**
   * Reads a token without any request. Undefined if it is no token for an offer for this domain.
   * @param sentTo the host that the offer was sent to, if it is known
   */
  read(token: string, domain: string, sentTo: string | undefined): BotCheckToken | undefined;
}

export interface BotCheckToken {
  /** The same for all tokens made from one solved check, because each check is valid for one offer. */
  readonly identity: string;
  /** Verifies that the visitor passed the check on this site, recently and for this purpose. */
  verify(client: Client): Promise<BotCheckVerdict>;
}

export type BotCheckVerdict = 'passed' | 'failed' | 'expired' | 'unavailable';
