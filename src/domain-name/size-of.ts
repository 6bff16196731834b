export type NameSize = 'short' | 'medium' | 'long' | 'longest';

/** Font size of a name in the headline, by its length; see storefront.css. */
export function sizeOf(name: string): NameSize {
  if (name.length <= 8) return 'short';
  if (name.length <= 16) return 'medium';
  return name.length <= 24 ? 'long' : 'longest';
}
