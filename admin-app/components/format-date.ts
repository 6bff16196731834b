const FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** `Nov 20, 2026, 1:05 PM`, in the reader's time zone; a text that is no time is shown as it is. */
export function formatDate(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  // Some engines set a narrow no-break space before AM and PM, others a plain one.
  return FORMAT.format(date).replace(/\u202f/g, ' ');
}
