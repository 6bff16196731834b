/** `Friday, December 4, 2026`, of a date of the calendar, in the language's own order. */
export function dateIn(language: string, date: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(date));
}

/** By language: creating one takes longer than the rest of a mail. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** `Nov 23, 2026, 5:18 AM UTC`, in the language's own order. */
export function timeIn(language: string, time: number): string {
  const format =
    timeFormats.get(language) ??
    new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    });
  timeFormats.set(language, format);
  return format.format(time);
}
