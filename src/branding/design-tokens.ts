/** The design tokens with their values in the style sheets. */
import { readFileSync } from 'node:fs';
import postcss from 'postcss';
import type { Catalogue } from '../catalogue/schema.ts';

const FILES = ['src/styles/tokens.css', 'src/styles/admin-tokens.css'];

/** A colour in each scheme, as `#rrggbb`. */
export interface Colour {
  readonly light: string;
  readonly dark: string;
}

export type Scheme = keyof Colour;

/** Values in the style sheets, by name without `--`. */
export function defaultTokens(): Map<string, string> {
  return tokensIn(FILES.map((file) => readFileSync(file, 'utf8')).join(''));
}

/** The values of a style sheet's custom properties, but those in @supports, which are for browsers without light-dark(). */
export function tokensIn(css: string): Map<string, string> {
  const tokens = new Map<string, string>();
  const root = postcss.parse(css, { map: false });
  root.walkAtRules('supports', (rule) => {
    rule.remove();
  });
  root.walkDecls(/^--/, ({ prop, value }) => {
    tokens.set(prop.slice(2), value);
  });
  return tokens;
}

/** Every colour by its token's name. @param tokens the owner's */
export function coloursWith(tokens: Readonly<Record<string, string>>): Record<string, Colour> {
  const colours: Record<string, Colour> = {};
  for (const [name, value] of [...defaultTokens(), ...Object.entries(tokens)]) {
    const [, light, dark] = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value) ?? [];
    if (light && dark) colours[name] = { light, dark };
  }
  return colours;
}

/** The accent colour and that of text on it, as mails get them; undefined where the owner has set neither. */
export function ownAccent(tokens: Readonly<Record<string, string>>) {
  const { accent, 'on-accent': text } = coloursWith(tokens);
  if (!accent || !text || !(tokens.accent ?? tokens['on-accent'])) return undefined;
  return { light: accent.light, onLight: text.light, dark: accent.dark, onDark: text.dark };
}

/** The schemes that visitors can get. */
export function schemesOf(colorScheme: Catalogue['settings']['colorScheme']): Scheme[] {
  return colorScheme === 'light' || colorScheme === 'dark' ? [colorScheme] : ['light', 'dark'];
}
