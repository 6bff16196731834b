/** Reads `theme.css`. Nothing of its text reaches a page: tokens are written anew from the values that were read. */
import { formatHex, interpolate, parse, wcagContrast } from 'culori';
import postcss, { type ChildNode, CssSyntaxError, type Declaration, list } from 'postcss';
import type { Problem } from '../catalogue/describe-problems.ts';
import { type Colour, coloursWith, defaultTokens, type Scheme } from './design-tokens.ts';

export interface Theme {
  readonly tokens: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

const COLOUR = 'a colour such as #1b6b3a, or light-dark(COLOUR, COLOUR) with the light one first';
const LENGTH = 'a length in rem';
const FONTS = 'names of fonts with commas between them; one with a digit or sign in quotes';

/** The design tokens that a theme may set, with the kind of their values. */
const KINDS = new Map([
  ...kind(
    COLOUR,
    'page surface sunken ink ink-soft line line-strong accent accent-hover on-accent accent-wash danger danger-wash success success-wash warning warning-wash',
  ),
  ...kind(LENGTH, 'text-s text-m text-l space-1 space-2 space-3 space-4 space-5 space-6 space-7 radius'),
  ...kind(FONTS, 'font'),
]);
const NAMES = [...KINDS.keys()].map((name) => `--${name}`).join(', ');
const FONT_LIST = /^(?:(?:"[\w .-]+"|'[\w .-]+'|-?[a-z-]+(?: [a-z-]+)*)(?:\s*,\s*(?!$)|$))+$/i;
const FORM = 'write :root { --accent: #1b6b3a; } with design tokens only';
const MEDIA = /^\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)$/i;
/** Text on the accent colour is one of them. */
const [DARK, WHITE] = ['#131318', '#ffffff'];

export function readTheme(css: string): Theme {
  const tokens: Record<string, string> = {};
  const problems: Problem[] = [];
  const reject = (node: ChildNode, what: string) => {
    const { line = 1, column: col = 1 } = node.source?.start ?? {};
    problems.push({ what, at: { line, col } });
  };
  try {
    postcss.parse(css, { map: false }).walk((node) => {
      const what = node.type === 'decl' ? readToken(node, tokens) : whyMisplaced(node);
      if (what) reject(node, what);
    });
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    const { reason, line = 1, column: col = 1 } = error;
    return { tokens: {}, problems: [{ what: `is not readable as CSS: ${reason}`, at: { line, col } }] };
  }
  return { tokens: tokens.accent ? { ...derivedTokens(tokens), ...tokens } : tokens, problems };
}

function whyMisplaced(node: Exclude<ChildNode, Declaration>): string | undefined {
  const isOutermost = node.parent?.type === 'root';
  if (node.type === 'comment') return undefined;
  if (node.type === 'rule') {
    const isRoot = node.selector.trim() === ':root' && node.parent?.type !== 'rule';
    return isRoot ? undefined : `has the selector ${JSON.stringify(node.selector)}: ${FORM}`;
  }
  if (node.name === 'media' && isOutermost && MEDIA.test(node.params)) return undefined;
  return `has @${node.name}: only @media (prefers-color-scheme: dark) or light may stand around :root`;
}

/** Adds a token. Returns why it was not read. */
function readToken(declaration: Declaration, tokens: Record<string, string>): string | undefined {
  const { prop, parent } = declaration;
  const value = declaration.value.trim();
  const name = prop.slice(2);
  const form = prop.startsWith('--') ? KINDS.get(name) : undefined;
  if (parent?.type !== 'rule') return `stands outside of :root: ${FORM}`;
  if (!form) return `${JSON.stringify(prop)} is no token that a theme may set: write one of ${NAMES}`;
  const media = parent.parent?.type === 'atrule' && MEDIA.exec(parent.parent.params)?.[1]?.toLowerCase();
  if (media && form !== COLOUR) return `${JSON.stringify(prop)} is no colour: write it outside of @media`;
  const read =
    form === COLOUR ? readColour(name, value, tokens, media as Scheme) : readOther(name, value, form);
  if (read === undefined) return `${JSON.stringify(prop)} is ${JSON.stringify(value)}: write ${form}`;
  tokens[name] = read;
  return undefined;
}

/** @param scheme the only one that the value is for */
function readColour(
  name: string,
  value: string,
  tokens: Readonly<Record<string, string>>,
  scheme: Scheme | undefined,
): string | undefined {
  const [, pair] = /^light-dark\((.*)\)$/is.exec(value) ?? [];
  const parts = pair ? list.comma(pair) : [value, value];
  const [light, dark] = parts.map(opaqueHex);
  if (parts.length !== 2 || !light || !dark) return undefined;
  const set = scheme ? { ...coloursWith(tokens)[name], [scheme]: { light, dark }[scheme] } : { light, dark };
  return `light-dark(${set.light}, ${set.dark})`;
}

/** `#rrggbb` of any CSS colour; undefined for a transparent one and for anything else. */
function opaqueHex(text: string): string | undefined {
  const colour = parse(text.trim());
  return colour && (colour.alpha ?? 1) === 1 ? formatHex(colour) : undefined;
}

function readOther(name: string, value: string, form: string): string | undefined {
  if (form === FONTS) return FONT_LIST.test(value) ? value : undefined;
  const [length] = /^(?:\d*\.)?\d+(?=rem$)|^0$/i.exec(value) ?? [];
  // In place of the length in the token's own value, which may limit it on narrow screens: `min(1.25rem, 5vw)`.
  return (
    length &&
    defaultTokens()
      .get(name)
      ?.replace(/[\d.]+rem/, `${length}rem`)
  );
}

/**
 * What an accent colour changes with it. Computed here and not by `color-mix` in the style sheets, because mails, share
 * images and the check of contrast need the values, too.
 */
function derivedTokens(tokens: Readonly<Record<string, string>>): Record<string, string> {
  const { accent, ink, surface } = coloursWith(tokens) as Record<'accent' | 'ink' | 'surface', Colour>;
  const both = (colourIn: (scheme: Scheme) => string | undefined) =>
    `light-dark(${colourIn('light')}, ${colourIn('dark')})`;
  const contrast = (scheme: Scheme, text: string) => wcagContrast(accent[scheme], text);
  return {
    'accent-hover': both((scheme) => mixed(accent[scheme], ink[scheme], 0.25)),
    'accent-wash': both((scheme) => mixed(surface[scheme], accent[scheme], 0.1)),
    'on-accent': both((scheme) => (contrast(scheme, WHITE) >= contrast(scheme, DARK) ? WHITE : DARK)),
  };
}

/** As `color-mix(in srgb, …)`, with this share of the second colour. */
function mixed(one: string, other: string, share: number): string | undefined {
  return formatHex(interpolate([one, other], 'rgb')(share));
}

function kind(form: string, names: string): [name: string, form: string][] {
  return names.split(' ').map((name) => [name, form]);
}
