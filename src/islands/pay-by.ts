const DAY_MS = 86_400_000;

/** A date further away has its year. */
const NEAR_MS = 60 * DAY_MS;

/**
 * A date of the calendar in words, and how many days are left until it in the visitor's own calendar: 0 on the day itself,
 * below zero once it has passed.
 * @param date `2026-12-04`
 */
export function payBy(date: string, language: string, now = new Date()): { text: string; days: number } {
  const at = Date.parse(date);
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  const days = Math.round((at - today) / DAY_MS);
  const text = new Date(at).toLocaleDateString(language, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
    ...(!isNear(at, today) && { year: 'numeric' }),
  });
  // Day and month stay on one line.
  return { text: text.replace(/(\p{L}|\d\.?) (?=[\p{L}\d])/gu, '$1\u00a0'), days };
}

export function isNear(time: number, now: number): boolean {
  return Math.abs(time - now) <= NEAR_MS;
}
