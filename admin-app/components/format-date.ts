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

/**
 * Converts a time to ISO 8601. The embedded backend writes `2026-11-20 13:37:07.282+00`, which not every browser parses.
 */
export function isoTime(time: string): string {
  return time.replace(
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d)(?::?(\d\d))?$/,
    (_, day: string, hours: string, minutes = '00') => `${day}T${hours}:${minutes}`,
  );
}
