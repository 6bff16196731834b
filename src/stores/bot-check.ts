import { atom } from 'nanostores';
import { ownProvider } from '../api/bot-check/own-provider.ts';
import type { BotCheckProvider, RunningBotCheck } from '../api/bot-check/provider.ts';

export type BotCheck =
  | { status: 'idle' }
  | { status: 'working' }
  /** The token is good for one offer. */
  | { status: 'ready'; token: string }
  | { status: 'failed' };

/** Where the bot check stands. It starts with the visitor's first contact with the form, not with the page. */
export const $botCheck = atom<BotCheck>({ status: 'idle' });

/** The one check of this page; a new object for every start, so that what a stopped one reports is ignored. */
let current: { running?: RunningBotCheck } | undefined;

/** Starts the check, or tries again after a failure; otherwise does nothing. `host` is an empty element to draw in. */
export function startBotCheck(host: HTMLElement, provider: BotCheckProvider = ownProvider): void {
  const { status } = $botCheck.get();
  if (status === 'working' || status === 'ready') return;
  $botCheck.set({ status: 'working' });
  if (current?.running) {
    current.running.renew();
    return;
  }

  const mine: typeof current = {};
  current = mine;
  const report = (state: BotCheck) => {
    if (current === mine) $botCheck.set(state);
  };
  mine.running = provider.start(host, {
    ready: (token) => report({ status: 'ready', token }),
    expired: () => report({ status: 'working' }),
    failed: () => report({ status: 'failed' }),
  });
}

/** Gives the token up, because an attempt has used it or may have, and fetches a fresh one. */
export function renewBotCheck(): void {
  if (!current?.running) return;
  $botCheck.set({ status: 'working' });
  current.running.renew();
}

/** Ends the check together with the form it belongs to. */
export function stopBotCheck(): void {
  current?.running?.stop();
  current = undefined;
  $botCheck.set({ status: 'idle' });
}
