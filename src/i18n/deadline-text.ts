const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The end of a time that begins now, in the visitor's time zone: `tomorrow, 2:47 AM`, `Saturday, November 28, 2:47 AM`. */
export function deadlineText(now: Date, hours: number, language: string): string {
  const end = new Date(now.getTime() + hours * HOUR_MS);
  const days = Math.round((startOfDay(end) - startOfDay(now)) / DAY_MS);
  const day =
    days < 2
      ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
      : end.toLocaleDateString(language, { weekday: 'long', month: 'long', day: 'numeric' });
  return `${day}, ${end.toLocaleTimeString(language, { timeStyle: 'short' })}`;
}

function startOfDay(time: Date): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
