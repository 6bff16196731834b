/** What is left of the time within which the page promises a response to an offer. */
import { hoursOf, urgentHoursOf } from '#contract/reply-within.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Delay above which it is given in days, in milliseconds. */
const DAYS_FROM_MS = 2 * DAY_MS;

export interface TimeLeft {
  /** `23 h left`, `40 min left`, `Overdue by 3 h` or `Overdue by 4 d`. */
  readonly text: string;
  readonly isUrgent: boolean;
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
    isUrgent: age >= urgentHoursOf(replyWithin) * HOUR_MS,
  };
}

/** Rounded down, so that no more time is shown than there is; at least a minute. */
function lengthOf(time: number): string {
  if (time >= DAYS_FROM_MS) return `${Math.floor(time / DAY_MS)} d`;
  if (time >= HOUR_MS) return `${Math.floor(time / HOUR_MS)} h`;
  return `${Math.max(1, Math.floor(time / MINUTE_MS))} min`;
}
