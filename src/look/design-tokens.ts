/** The design tokens that a theme may set, with their values in the style sheets. */
import { readFileSync } from 'node:fs';
import postcss from 'postcss';

const FILES = ['src/styles/tokens.css', 'src/styles/admin-tokens.css'];

/** A colour in each scheme, as `#rrggbb`. */
export interface Colour {
  readonly light: string;
  readonly dark: string;
}

export type Scheme = keyof Colour;

/** The least and the greatest length that the pages hold without damage, in rem. */
export type Range = { readonly min: number; readonly max: number };

/** Lengths that a theme may set. Other lengths follow from these, or from the window. */
export const LENGTHS: Readonly<Record<string, Range>> = {
  'text-s': { min: 0.75, max: 1 },
  'text-m': { min: 0.875, max: 1.25 },
  'text-l': { min: 1, max: 1.5 },
  'space-1': { min: 0, max: 0.5 },
  'space-2': { min: 0.25, max: 0.75 },
  'space-3': { min: 0.5, max: 1 },
  'space-4': { min: 0.5, max: 1.5 },
  'space-5': { min: 0.75, max: 2 },
  'space-6': { min: 1, max: 3 },
  'space-7': { min: 1.5, max: 4.5 },
  'radius-s': { min: 0, max: 1.5 },
  'radius-m': { min: 0, max: 2 },
};

/** The list of the page's fonts. */
export const FONT = 'font';

/** Values in the style sheets, by name without `--`. */
export function defaultTokens(): ReadonlyMap<string, string> {
  return tokensIn(FILES.map((file) => readFileSync(file, 'utf8')).join(''));
}

/** The values of a style sheet's custom properties; of two, the first. */
export function tokensIn(css: string): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  postcss.parse(css, { map: false }).walkDecls(/^--/, ({ prop, value }) => {
    const name = prop.slice(2);
    if (!tokens.has(name)) tokens.set(name, value);
  });
  return tokens;
}

/** The colours among the tokens. */
export function coloursOf(tokens: ReadonlyMap<string, string>): Map<string, Colour> {
  const colours = new Map<string, Colour>();
  for (const [name, value] of tokens) {
    const [, light, dark] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? [];
    if (light && dark) colours.set(name, { light, dark });
  }
  return colours;
}
