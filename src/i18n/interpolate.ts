/**
 * Fills the gaps of a text.
 * @param language how numbers are written; needed where there are some
 */
export function filled(text: string, gaps: Record<string, string | number>, language?: string): string {
  return text.replace(/\{(\w+)\}/g, (_, gap: string) => gaps[gap]?.toLocaleString(language) ?? '');
}
