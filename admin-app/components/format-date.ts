import { isoTime } from '#contract/iso-time.ts';

const FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** `Nov 20, 2026, 1:05 PM`, in the browser's time zone; invalid input is returned unchanged. */
export function formatDate(time: string): string {
  const date = new Date(isoTime(time));
  if (Number.isNaN(date.getTime())) return time;
  // Some engines set a narrow no-break space before AM and PM, others a plain one.
  return FORMAT.format(date).replace(/\u202f/g, ' ');
}
