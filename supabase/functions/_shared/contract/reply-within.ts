/** The time within which the owner promises a response to an offer: the catalogue's setting `replyWithin`. */

/** `36 hours`, `1 day`: a text that PostgreSQL reads as an interval, too. */
export const REPLY_WITHIN = /^([1-9]\d{0,2}) (hour|day)s?$/;

/** Where the catalogue has no `replyWithin`. */
export const DEFAULT_REPLY_WITHIN = '24 hours';

const HOURS = { hour: 1, day: 24 };

/** A time in words, as it stands after "within". */
export interface ReplyTimeTexts {
  readonly hour: string;
  readonly hours: string;
  readonly day: string;
  readonly days: string;
}

/** @param replyWithin undefined, or a text that is no such time: 24 hours */
export function hoursOf(replyWithin: string | undefined): number {
  const { count, unit } = parse(replyWithin);
  return count * HOURS[unit];
}

/**
 * The hours after which a pending offer is urgent, 5/6 of the time: 20 of 24. The database has the same rule, in
 * `queue_overdue`.
 */
export function urgentHoursOf(replyWithin: string | undefined): number {
  return (hoursOf(replyWithin) * 5) / 6;
}

/** `3 days` in words of a language. */
export function replyTime(replyWithin: string | undefined, texts: ReplyTimeTexts): string {
  const { count, unit } = parse(replyWithin);
  return texts[count === 1 ? unit : (`${unit}s` as const)].replace('{count}', String(count));
}

function parse(replyWithin = DEFAULT_REPLY_WITHIN): { count: number; unit: 'hour' | 'day' } {
  const [, count, unit] = REPLY_WITHIN.exec(replyWithin) ?? [];
  return unit === undefined ? parse() : { count: Number(count), unit: unit as 'hour' | 'day' };
}
