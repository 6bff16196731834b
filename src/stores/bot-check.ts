import { atom } from 'nanostores';
import { ownProvider } from '../api/bot-check/own-provider.ts';
import type { BotCheckProvider, RunningBotCheck } from '../api/bot-check/provider.ts';

export type BotCheck =
  | { status: 'idle' }
  /** For a domain to be selected. */
  | { status: 'waiting' }
  | { status: 'working' }
  /** The token is good for one offer; where `domain` is set, for that domain alone. */
  | { status: 'ready'; token: string; domain: string | undefined }
  | { status: 'failed' };

/** State of the bot check. It starts with the visitor's first contact with the form, not with the page. */
export const $botCheck = atom<BotCheck>({ status: 'idle' });

interface Check {
  readonly host: HTMLElement;
  readonly provider: BotCheckProvider;
  /** What its tokens are good for. */
  domain?: string | undefined;
  running?: RunningBotCheck;
}

/** The one check of this page; a new object for every start, so that reports of a stopped one are ignored. */
let current: Check | undefined;

/** The domain that the visitor has selected last. */
let selected: string | undefined;

/**
 * Starts the check, or retries after a failure; otherwise does nothing.
 * @param host an empty element to render in
 * @param pageDomain the domain that counts while the visitor has selected none
 */
export function startBotCheck(
  host: HTMLElement,
  pageDomain?: string,
  provider: BotCheckProvider = ownProvider,
): void {
  selected ??= pageDomain;
  current ??= { host, provider };
  run(current);
}

/** Renews the check for another domain, where its tokens are good for one domain only. */
export function selectForBotCheck(domain: string): void {
  selected = domain;
  if (current) run(current);
}

function run(check: Check): void {
  const { provider, host, running } = check;
  const { status } = $botCheck.get();
  const domain = provider.boundToDomain ? selected : undefined;
  if (provider.boundToDomain && domain === undefined) {
    $botCheck.set({ status: 'waiting' });
    return;
  }
  if (check.domain === domain && (status === 'working' || status === 'ready')) return;
  check.domain = domain;
  $botCheck.set({ status: 'working' });
  if (running) {
    running.renew(domain);
    return;
  }

  const report = (state: BotCheck) => {
    if (current === check) $botCheck.set(state);
  };
  check.running = provider.start(
    host,
    {
      ready: (token) => report({ status: 'ready', token, domain: check.domain }),
      expired: () => report({ status: 'working' }),
      failed: () => report({ status: 'failed' }),
    },
    domain,
  );
}

/** Drops the token, because an attempt has used it or may have, and fetches a fresh one. */
export function renewBotCheck(): void {
  if (!current?.running) return;
  $botCheck.set({ status: 'working' });
  current.running.renew(current.domain);
}

/** Ends the check together with the form that it belongs to. */
export function stopBotCheck(): void {
  current?.running?.stop();
  current = undefined;
  selected = undefined;
  $botCheck.set({ status: 'idle' });
}
