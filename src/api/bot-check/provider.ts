/** An implementation of the bot check. Its tokens are the offer's `turnstile_token`, whichever provider issued them. */
export interface BotCheckProvider {
  /** Whether a token is valid for one domain only. Then the check needs a domain to start. */
  readonly boundToDomain: boolean;
  /** Starts to fetch a token. `host` is an empty element that the provider may render in. */
  start(host: HTMLElement, report: BotCheckReport, domain?: string): RunningBotCheck;
}

export interface BotCheckReport {
  /** A fresh token, valid for one offer. */
  ready(token: string): void;
  /** The token has expired; the provider fetches another one by itself. */
  expired(): void;
  /** There is no token. The provider tries again by itself, at `retryAt` (as of `Date.now()`), and after `renew`. */
  failed(retryAt: number): void;
  /** This browser cannot do the check. */
  unsupported(): void;
}

export interface RunningBotCheck {
  /** Drops the token and fetches a fresh one. */
  renew(domain?: string): void;
  /** Ends the check; nothing is reported afterwards. */
  stop(): void;
}
