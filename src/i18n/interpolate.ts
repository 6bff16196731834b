/**
 * Replaces the `{placeholders}` of a message.
 * @param language for the format of numbers
 */
export function interpolate(
  text: string,
  values: Record<string, string | number>,
  language?: string,
): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.toLocaleString(language) ?? '');
}
