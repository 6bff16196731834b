import { atom } from 'nanostores';
import type { BotCheckReport, RunningBotCheck } from '../api/bot-check/provider.ts';
import { $calls } from './calls.ts';

export type BotCheck =
  | { status: 'idle' }
  /** No domain is selected yet. */
  | { status: 'waiting' }
  | { status: 'working' }
  /** The token is valid for one offer; where `domain` is set, for that domain only. */
  | { status: 'ready'; token: string; domain: string | undefined }
  /** It is tried again at `retryAt` (as of `Date.now()`). */
  | { status: 'failed'; retryAt: number }
  /** This browser cannot do the check. */
  | { status: 'unsupported' };

/** State of the bot check. It starts at the visitor's first interaction with the form. */
export const $botCheck = atom<BotCheck>({ status: 'idle' });

interface Check {
  readonly host: HTMLElement;
  /** The domain that its tokens are valid for. */
  domain?: string | undefined;
  running?: RunningBotCheck;
}

/** The check of this page; a new object for every start, so that reports of a stopped check are ignored. */
let current: Check | undefined;

/** The domain selected last. */
let selected: string | undefined;

/**
 * Starts the check, or retries after a failure; otherwise does nothing.
 * @param host an empty element to render in
 * @param pageDomain the domain that applies while the visitor has selected none
 */
export function startBotCheck(host: HTMLElement, pageDomain?: string): void {
  selected ??= pageDomain;
  current ??= { host };
  run(current);
}

/** Renews the check for another domain, where its tokens are valid for one domain only. */
export function selectForBotCheck(domain: string): void {
  selected = domain;
  if (current) run(current);
}

// A check that began before its script was there.
$calls.listen(() => {
  if (current) run(current);
});

// A check that failed, at once. Not where pages are prerendered and in unit tests.
globalThis.addEventListener?.('online', () => {
  if (current) run(current);
});

function run(check: Check): void {
  const { host, running } = check;
  const provider = $calls.get()?.provider;
  if (!provider) {
    $botCheck.set({ status: 'working' });
    return;
  }
  const { status } = $botCheck.get();
  const domain = provider.boundToDomain ? selected : undefined;
  if (provider.boundToDomain && domain === undefined) {
    $botCheck.set({ status: 'waiting' });
    return;
  }
  const isRunning = running && /working|ready/.test(status);
  if (check.domain === domain && (isRunning || status === 'unsupported')) return;
  check.domain = domain;
  $botCheck.set({ status: 'working' });
  try {
    if (running) running.renew(domain);
    else check.running = provider.start(host, reportOf(check), domain);
  } catch {
    $botCheck.set({ status: 'unsupported' });
  }
}

function reportOf(check: Check): BotCheckReport {
  const report = (state: BotCheck) => {
    if (current === check) $botCheck.set(state);
  };
  return {
    ready: (token) => report({ status: 'ready', token, domain: check.domain }),
    expired: () => report({ status: 'working' }),
    failed: (retryAt) => report({ status: 'failed', retryAt }),
    unsupported: () => report({ status: 'unsupported' }),
  };
}

/** Replaces the token after an attempt that may have used it up. */
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
