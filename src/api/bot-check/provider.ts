/** A way to tell people from bots. What it yields is the offer's `turnstile_token`, whichever way it was. */
export interface BotCheckProvider {
  /** Begins to fetch a token. `host` is an empty element the provider may draw in. */
  start(host: HTMLElement, report: BotCheckReport): RunningBotCheck;
}

export interface BotCheckReport {
  /** A fresh token, good for one offer. */
  ready(token: string): void;
  /** The token is too old; the provider fetches another one by itself. */
  expired(): void;
  /** There is no token; one is on its way only where the provider tries again by itself, or after `renew`. */
  failed(): void;
}

export interface RunningBotCheck {
  /** Drops what there is and fetches a fresh token. */
  renew(): void;
  /** Ends it; nothing is reported afterwards. */
  stop(): void;
}
