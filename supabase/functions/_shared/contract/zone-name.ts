/** The time zone in words: `Central European Time`. @param timeZone absent: that of this computer */
export function zoneName(language: string, timeZone?: string): string {
  // The generic name is the same in summer and winter. UTC has none, but a number.
  const generic = nameIn(language, 'longGeneric', timeZone);
  return /\d/.test(generic) ? nameIn(language, 'long', timeZone) : generic;
}

function nameIn(language: string, timeZoneName: 'long' | 'longGeneric', timeZone?: string): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName, ...(timeZone && { timeZone }) });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
