/**
 * Replaces the `{placeholders}` of a text; those without a value disappear.
 * @param language for the format of numbers
 */
export function interpolate(
  text: string,
  values: Readonly<Record<string, string | number>>,
  language?: string,
): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.toLocaleString(language) ?? '');
}
