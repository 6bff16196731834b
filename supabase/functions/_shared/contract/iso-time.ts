/**
 * Converts a time to ISO 8601. The embedded backend writes `2026-11-20 13:37:07.282+00`, which not every browser parses.
 */
export function isoTime(time: string): string {
  return time.replace(
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d)(?::?(\d\d))?$/,
    (_, day: string, hours: string, minutes = '00') => `${day}T${hours}:${minutes}`,
  );
}
