/** The design tokens with their values in the style sheets. */
import { readFileSync } from 'node:fs';
import postcss from 'postcss';
import type { Catalogue } from '../catalogue/schema.ts';

const FILE = 'src/styles/tokens.css';
const ADMIN_FILE = 'src/styles/admin-tokens.css';
/** As the style sheets and `readTheme` write it. */
const PAIR = /light-dark\(([^,()]+), ([^,()]+)\)/g;

/** A colour in each scheme, as `#rrggbb`. */
export interface Colour {
  readonly light: string;
  readonly dark: string;
}

export type Scheme = keyof Colour;

/** Values in the style sheets, by name without `--`: those of all pages, with `isAdmin` also those of the admin pages. */
export function defaultTokens(isAdmin = true): Map<string, string> {
  const files = isAdmin ? [FILE, ADMIN_FILE] : [FILE];
  return tokensIn(files.map((file) => readFileSync(file, 'utf8')).join(''));
}

/** The values of a style sheet's custom properties. */
export function tokensIn(css: string): Map<string, string> {
  const tokens = new Map<string, string>();
  postcss.parse(css, { map: false }).walkDecls(/^--/, ({ prop, value }) => {
    tokens.set(prop.slice(2), value);
  });
  return tokens;
}

/** Style sheet that declares tokens in the schemes that visitors can get. Older browsers lack light-dark(). */
export function tokenStyle(tokens: ReadonlyMap<string, string>, schemes: readonly Scheme[]): string {
  const pairs = [...tokens].filter(([, value]) => value.includes('light-dark('));
  const [first = 'light', second] = schemes;
  const style = `:root{color-scheme:${schemes.join(' ')};${declarations([...tokens], first)}}`;
  if (!second) return style;
  return `${style}@media (prefers-color-scheme:${second}){:root{${declarations(pairs, second)}}}`;
}

function declarations(tokens: [name: string, value: string][], scheme: Scheme): string {
  const value = scheme === 'light' ? '$1' : '$2';
  return tokens.map(([name, text]) => `--${name}:${text.replace(PAIR, value)}`).join(';');
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
