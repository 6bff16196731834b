const WIDEST = 32;
/** Widths that a name can have, in average letters; see storefront.css. */
const WIDTHS = [4, 5, 5.8, 6.5, 7.3, 8.3, 9.5, 11, 12.5, 14.5, 17, 19, 21.5, 24, 28, WIDEST];

/** Width of a name in average letters of a proportional font, rounded up to one of the widths. */
export function sizeOf(name: string): number {
  let width = 0;
  for (const letter of name) width += /[ijl.-]/.test(letter) ? 0.55 : /[mw]/.test(letter) ? 1.5 : 1;
  return WIDTHS.find((known) => known >= width) ?? WIDEST;
}

/** Style rules for all widths: the content security policy allows no `style` attribute. */
export function sizeRules(): string {
  return WIDTHS.map((width) => `[data-size="${width}"]{--fit:${width}}`).join('');
}
