const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A time with the name of its zone, which is the visitor's: `2:47 AM GMT+1`. */
export const TIME = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** The end of a time that begins now: `tomorrow, 2:47 AM GMT+1`, `Saturday, November 28, 2:47 AM GMT+1`. */
export function deadlineText(now: Date, hours: number, language: string): string {
  const end = new Date(now.getTime() + hours * HOUR_MS);
  const days = Math.round((startOfDay(end) - startOfDay(now)) / DAY_MS);
  const day =
    days < 2
      ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
      : end.toLocaleDateString(language, { weekday: 'long', month: 'long', day: 'numeric' });
  return `${day}, ${end.toLocaleTimeString(language, TIME)}`;
}

function startOfDay(time: Date): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
