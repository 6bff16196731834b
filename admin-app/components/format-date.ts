const FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** `Nov 20, 2026, 1:05 PM`, in the reader's time zone; a text that is no time is shown as it is. */
export function formatDate(time: string): string {
  const date = new Date(isoTime(time));
  if (Number.isNaN(date.getTime())) return time;
  // Some engines set a narrow no-break space before AM and PM, others a plain one.
  return FORMAT.format(date).replace(/\u202f/g, ' ');
}

/**
 * The time as every browser reads it. The embedded backend writes `2026-11-20 13:37:07.282+00`, which is none of the
 * forms that JavaScript promises to read.
 */
export function isoTime(time: string): string {
  return time.replace(
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d)(?::?(\d\d))?$/,
    (_, day: string, hours: string, minutes = '00') => `${day}T${hours}:${minutes}`,
  );
}
