const OPTIONS: Intl.DateTimeFormatOptions = {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
};
const FORMAT = new Intl.DateTimeFormat('en-US', OPTIONS);

/** `Nov 20, 2026, 1:05 PM`, in the browser's time zone; invalid input is returned unchanged. */
export function formatDate(time: string, format = FORMAT): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  // Some engines set a narrow no-break space before AM and PM, others a plain one.
  return format.format(date).replace(/\u202f/g, ' ');
}

const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });

/** `1:05 PM` */
export function formatTime(time: string): string {
  return formatDate(time, TIME);
}

/** `Nov 20, 2026` */
export function formatDay(time: string): string {
  return formatDate(time, DAY);
}
