export type NameSize = 'short' | 'medium' | 'long' | 'longest';

/** The shorter a name, the larger it stands in the headline: the styles know a size for each. */
export function sizeOf(name: string): NameSize {
  if (name.length <= 8) return 'short';
  if (name.length <= 16) return 'medium';
  return name.length <= 24 ? 'long' : 'longest';
}
