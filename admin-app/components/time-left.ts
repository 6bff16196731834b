/** Whose move it is, and what is left of the time for it: of the owner's, that within which the page promises a response. */
import type { Offer } from '#contract/offer.ts';
import { hoursOf } from '#contract/reply-within.ts';
import type { Standing } from '../stores/standings.ts';
import { dealLine } from './deal-steps.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Delay above which it is given in days, in milliseconds. */
const DAYS_FROM_MS = 2 * DAY_MS;

export interface TimeLeft {
  /** `23 h left`, `40 min left`, `Overdue by 3 h` or `Overdue by 4 d`. */
  readonly text: string;
  readonly isOver: boolean;
}

/**
 * @param now in milliseconds
 * @param replyWithin the catalogue's setting
 * @returns undefined where `createdAt` is no time
 */
export function timeLeft(createdAt: string, now: number, replyWithin?: string): TimeLeft | undefined {
  const age = now - Date.parse(createdAt);
  if (Number.isNaN(age)) return;
  const promise = hoursOf(replyWithin) * HOUR_MS;
  const left = promise - age;
  return {
    text: left > 0 ? `${lengthOf(Math.min(left, promise))} left` : `Overdue by ${lengthOf(-left)}`,
    isOver: left <= 0,
  };
}

/** How long after an agreement the owner should hear something, in milliseconds; the database reminds of it then. */
const SILENT_AFTER_MS = 7 * DAY_MS;

export interface Turn {
  /**
   * `Your move, 20 h left`, `Overdue by 3 h`, `Their move, 6 d left`, `Ended`, `Agreed 1 h ago`,
   * `Heard nothing for 7 d`, `Withdrawn by the buyer`, or what `dealLine` says.
   */
  readonly text: string;
  /** What it waits for: the owner's move, or one that should have been made by now. */
  readonly tone?: 'yours' | 'overdue';
}

/**
 * Whose move it is after the last one.
 * @param now in milliseconds
 * @param replyWithin the catalogue's setting
 * @returns undefined for an offer that is closed, or whose status was set by hand
 */
export function turnOf(
  { status }: Pick<Offer, 'status'>,
  { kind, at, valid_until, deal }: Standing,
  now: number,
  replyWithin?: string,
): Turn | undefined {
  if (deal || kind === 'accept') {
    if (status !== 'accepted') return;
    const step = deal && dealLine(deal, now);
    if (step) return step;
    // Accepted by hand: how long ago is not the buyer's silence.
    if (kind !== 'accept') return;
    const age = now - Date.parse(at);
    return {
      text: age < SILENT_AFTER_MS ? `Agreed ${agoOf(at, now)}` : `Heard nothing for ${lengthOf(age)}`,
    };
  }
  if (kind === 'withdraw' && status === 'rejected') return { text: 'Withdrawn by the buyer' };
  if (status === 'accepted' || status === 'rejected') return;
  if (kind === 'counter') {
    const left = Date.parse(valid_until ?? at) - now;
    // 7 days are still 7 an hour later, as on the buyer's page.
    return left > 0
      ? { text: `Their move, ${lengthOf(left, Math.round)} left` }
      : { text: 'Ended', tone: 'yours' };
  }
  if (kind !== 'offer' && kind !== 'take_back') return;
  const left = timeLeft(at, now, replyWithin);
  if (!left) return;
  return left.isOver
    ? { text: left.text, tone: 'overdue' }
    : { text: `Your move, ${left.text}`, tone: 'yours' };
}

/** `3 h ago`, `6 d ago`; undefined where `at` is no time. */
export function agoOf(at: string, now: number): string | undefined {
  const age = now - Date.parse(at);
  return Number.isNaN(age) ? undefined : `${lengthOf(age)} ago`;
}

/** Rounded down, so that no more time is shown than there is; at least a minute. */
function lengthOf(time: number, round = Math.floor): string {
  if (time >= DAYS_FROM_MS) return `${round(time / DAY_MS)} d`;
  if (time >= HOUR_MS) return `${Math.floor(time / HOUR_MS)} h`;
  return `${Math.max(1, Math.floor(time / MINUTE_MS))} min`;
}
