import { atom } from 'nanostores';
import { retryDelayMs } from '../api/retry-delay.ts';
import { $botCheck } from './bot-check.ts';
import { $offer, type OfferFields, startOver, submitOffer } from './offer.ts';

export type Press =
  /**
   * For the bot check, or to be tried again after a request that failed.
   * `tries`: requests begun; `retryAt`: the next one does not begin before (as of `Date.now()`)
   */
  | { status: 'waiting'; tries: number; retryAt: number }
  /** Nothing was sent: something was edited, or too much time has passed. */
  | { status: 'changed' | 'late' }
  /** As above, after a request had begun: the visitor goes on, and its result does not take the focus. */
  | { status: 'left' };

/** The press on the form's button: it stays until its offer is sent, edited or too old. */
export const $press = atom<Press | undefined>();

interface Pressed {
  readonly fields: OfferFields;
  /** The domain's name as the visitor reads it. */
  readonly shown: string | undefined;
  /** When it is too old, as of `Date.now()`. */
  readonly until: number;
}

const KEY = 'press';

/** What was pressed, while `$press` waits. */
let pressed: Pressed | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether this page has stored its press. */
let isStored = false;

/** Submits an offer as soon as there is a token for it, and again where its request failed. */
export function pressOffer(fields: OfferFields, shown: string | undefined, until: number, tries = 0): void {
  const { status } = $offer.get();
  pressed = { fields, shown, until };
  $press.set({ status: 'waiting', tries: status === 'submitting' ? 1 : tries, retryAt: 0 });
  if (status === 'failed') startOver();
  void carryOut();
}

/** Ends the press. The reason is shown only if nothing was sent: a request that failed has its own message. */
export function endPress(reason?: 'changed' | 'late'): void {
  const state = $press.get();
  const isTried = state?.status === 'waiting' && state.tries > 0;
  clearTimeout(timer);
  pressed = undefined;
  if (isStored) takeStored();
  // Otherwise `takePressBack` would end it once more, without the reason.
  isStored = false;
  $press.set(reason && { status: isTried ? 'left' : reason });
}

$botCheck.listen(() => void carryOut());

// Not where pages are prerendered.
globalThis.addEventListener?.('online', () => {
  const { tries = 0 } = waiting() ?? {};
  if (pressed && tries > 0) pressOffer(pressed.fields, pressed.shown, pressed.until, tries);
});

async function carryOut(): Promise<void> {
  clearTimeout(timer);
  const press = waiting();
  if (!pressed || !press || $offer.get().status === 'submitting') return;
  const { fields, shown, until } = pressed;
  const check = $botCheck.get().status;
  const now = Date.now();
  if (now >= until) return endPress('late');
  if (check === 'unsupported') return endPress();
  if (check !== 'ready' || now < press.retryAt) {
    const next = now < press.retryAt ? Math.min(press.retryAt, until) : until;
    timer = setTimeout(carryOut, next - now);
    return;
  }
  $press.set({ ...press, tries: press.tries + 1 });
  await submitOffer(fields, shown);
  const offer = $offer.get();
  const later = waiting();
  const reason = offer.status === 'failed' && offer.reason;
  // Edited meanwhile.
  if (!later) return;
  if (reason === 'unexpected') $press.set({ ...later, retryAt: Date.now() + retryDelayMs(press.tries) });
  // The token expired while it was used.
  else if (reason === 'bot-check-missing') startOver();
  else return endPress();
  await carryOut();
}

function waiting() {
  const press = $press.get();
  return press?.status === 'waiting' ? press : undefined;
}

/** Stores the press while the page is hidden: it may be reloaded, or dropped by the browser. Storage throws where it is blocked. */
export function storePress(): void {
  if (!pressed) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...pressed, tries: waiting()?.tries }));
    isStored = true;
  } catch {}
}

/** The page is visible again. Another page of the same tab may have taken the press meanwhile. */
export function takePressBack(): void {
  if (isStored && !takeStored()) endPress();
  isStored = false;
}

/**
 * Presses again after a reload, where the form would send the same.
 * @param fieldsOf what the form would send
 * @returns when the press is too old; undefined where there is none
 */
export function restorePress(fieldsOf: () => OfferFields): number | undefined {
  const stored = takeStored();
  if (!stored || JSON.stringify(stored.fields) !== JSON.stringify(fieldsOf())) return undefined;
  pressOffer(stored.fields, stored.shown, stored.until, stored.tries);
  return stored.until;
}

function takeStored(): (Pressed & { tries?: number }) | undefined {
  try {
    const stored = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return stored ? JSON.parse(stored) : undefined;
  } catch {
    return undefined;
  }
}
