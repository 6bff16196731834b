/** Reads `theme.css`. Nothing of its text reaches a page: tokens are written anew from the values that were read. */
import postcss, { type AtRule, type ChildNode, CssSyntaxError, type Declaration, type Rule } from 'postcss';
import type { Mistake } from '../catalogue/describe-mistakes.ts';
import { failedPairs } from './contrast.ts';
import {
  type Colour,
  coloursOf,
  defaultTokens,
  FONT,
  LENGTHS,
  type Range,
  type Scheme,
} from './design-tokens.ts';
import type { Look } from './look.ts';
import { quoted, shortened } from './quoted.ts';

export interface Theme extends Pick<Look, 'tokens'> {
  readonly mistakes: readonly Mistake[];
}

/** How many fonts a list may name. */
const MAX_FONTS = 10;
/** Names that mean a font of the visitor's system; in quotes they would not. */
const GENERIC_FONT =
  /^(?:system-ui|sans-serif|serif|monospace|cursive|fantasy|math|ui-(?:sans-serif|serif|monospace|rounded))$/i;
/** Words that mean something else to each property of CSS. */
const CSS_WIDE_WORD = /^["']?(?:inherit|initial|unset|revert|revert-layer|default)["']?$/i;
const FONT_NAME = /^(?:-apple-system|[a-z][\w-]*(?: [\w-]+)*|"[\w .-]{1,60}"|'[\w .-]{1,60}')$/i;
const FORM = 'write :root { --accent: #1b6b3a; } with design tokens only';

/**
 * Checks a theme.
 * @param schemes in which the pages are shown
 */
export function readTheme(css: string, schemes: readonly Scheme[]): Theme {
  const reader = new ThemeReader();
  try {
    reader.readAll(postcss.parse(css, { map: false }).nodes, ['light', 'dark']);
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    const { reason, line = 1, column: col = 1 } = error;
    return { tokens: {}, mistakes: [{ what: `is not readable as CSS: ${reason}`, at: { line, col } }] };
  }
  const { mistakes, tokens } = reader;
  return { tokens, mistakes: mistakes.length > 0 ? mistakes : reader.contrastMistakes(schemes) };
}

class ThemeReader {
  readonly mistakes: Mistake[] = [];
  /** The tokens that were set. */
  readonly tokens: Record<string, string> = {};
  readonly #known = defaultTokens();
  /** Every colour, with those that were set. */
  readonly #colours = coloursOf(this.#known);
  /** Where each token was set, by name and scheme. */
  readonly #places = new Map<string, Declaration>();

  readAll(nodes: readonly ChildNode[], schemes: readonly Scheme[]): void {
    for (const node of nodes) {
      if (node.type === 'atrule') this.#readMedia(node, schemes);
      else if (node.type === 'rule') this.#readRule(node, schemes);
      else if (node.type === 'decl') this.#reject(node, `stands outside of :root: ${FORM}`);
    }
  }

  /** Pairs that lack contrast, each at the token that the theme sets. */
  contrastMistakes(schemes: readonly Scheme[]): Mistake[] {
    return failedPairs(this.#colours, schemes).map(({ front, back, scheme, least, ratio, colours }) => {
      const place = this.#places.get(`${front} ${scheme}`) ?? this.#places.get(`${back} ${scheme}`);
      return {
        what:
          `--${front} on --${back} has too little contrast in ${scheme} colours: ${colours.front} on ` +
          `${colours.back} is ${shorten(ratio)}, and at least ${least} is needed. ` +
          'Change one of the two',
        at: place && placeOf(place),
      };
    });
  }

  #readMedia(rule: AtRule, schemes: readonly Scheme[]): void {
    const { name, params, nodes } = rule;
    const [, scheme] = /^\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)$/i.exec(params) ?? [];
    if (name.toLowerCase() === 'media' && scheme && schemes.length > 1 && nodes)
      this.readAll(nodes, [scheme.toLowerCase() as Scheme]);
    else {
      this.#reject(
        rule,
        `has @${shortened(name)}, which a theme may not have: remove it. Only @media (prefers-color-scheme: dark) or light is allowed, around :root`,
      );
    }
  }

  #readRule(rule: Rule, schemes: readonly Scheme[]): void {
    if (rule.selector.trim() !== ':root') {
      this.#reject(rule, `has the selector ${quoted(rule.selector)}: ${FORM}`);
      return;
    }
    for (const node of rule.nodes) {
      if (node.type === 'decl') {
        const why = this.#readToken(node, schemes);
        if (why) this.#reject(node, `${quoted(node.prop)} ${why}`);
      } else if (node.type !== 'comment') this.#reject(node, `has a rule inside of :root: ${FORM}`);
    }
  }

  /** Returns why it was not read. */
  #readToken(declaration: Declaration, schemes: readonly Scheme[]): string | undefined {
    const { prop, important } = declaration;
    const name = prop.slice(2);
    if (!prop.startsWith('--')) return `is not a design token: ${FORM}`;
    if (important) return 'has !important: remove that word';
    if (this.#colours.has(name)) return this.#readColour(name, declaration, schemes);
    if (name !== FONT && !Object.hasOwn(LENGTHS, name))
      return `is not a token that a theme may set: write one of ${this.#names()}`;
    if (schemes.length === 1) return 'is no colour: write it outside of @media';
    return this.#readOther(name, declaration.value.trim());
  }

  #readColour(name: string, declaration: Declaration, schemes: readonly Scheme[]): string | undefined {
    const value = declaration.value.trim();
    const colour = readColour(value);
    if (!colour)
      return `is ${quoted(value)}: write a colour as #rrggbb, or light-dark(#rrggbb, #rrggbb) with the light one first`;
    const changed = Object.fromEntries(schemes.map((scheme) => [scheme, colour[scheme]]));
    const { light, dark } = { ...(this.#colours.get(name) as Colour), ...changed };
    this.#colours.set(name, { light, dark });
    this.tokens[name] = `light-dark(${light}, ${dark})`;
    for (const scheme of schemes) this.#places.set(`${name} ${scheme}`, declaration);
    return undefined;
  }

  #readOther(name: string, value: string): string | undefined {
    const range = LENGTHS[name];
    const set = range ? readLength(value, range, this.#known.get(name) ?? '') : readFonts(value);
    if (set === undefined && range)
      return `is ${quoted(value)}: write a length in rem, from ${range.min}rem to ${range.max}rem`;
    if (set === undefined)
      return `is ${quoted(value)}: write at most ${MAX_FONTS} names of fonts with commas between, the last one such as sans-serif or serif`;
    this.tokens[name] = set;
    return undefined;
  }

  #names(): string {
    return [...this.#colours.keys(), FONT, ...Object.keys(LENGTHS)].map((name) => `--${name}`).join(', ');
  }

  #reject(node: ChildNode, what: string): void {
    this.mistakes.push({ what, at: placeOf(node) });
  }
}

function readColour(value: string): Colour | undefined {
  const [, first, second] = /^light-dark\(\s*(#[0-9a-f]+)\s*,\s*(#[0-9a-f]+)\s*\)$/i.exec(value) ?? [];
  const [light, dark] = first && second ? [first, second].map(longForm) : [longForm(value), longForm(value)];
  return light && dark ? { light, dark } : undefined;
}

/** `#rrggbb` in lower case, also of `#rgb`; undefined for anything else. */
function longForm(colour: string): string | undefined {
  const lower = colour.toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(lower)) return lower;
  return /^#[0-9a-f]{3}$/.test(lower) ? lower.replace(/[0-9a-f]/g, '$&$&') : undefined;
}

/** In place of the length in the token's own value, which may limit it on narrow screens: `min(1.25rem, 5vw)`. */
function readLength(value: string, { min, max }: Range, own: string): string | undefined {
  const [, digits] = /^(\d{1,2}(?:\.\d{1,4})?|\.\d{1,4})rem$/i.exec(value === '0' ? '0rem' : value) ?? [];
  const rem = Number(digits);
  return rem >= min && rem <= max ? own.replace(/[\d.]+rem/, `${rem}rem`) : undefined;
}

function readFonts(value: string): string | undefined {
  const fonts = value.split(',').map((font) => font.trim());
  const isList =
    fonts.length <= MAX_FONTS && fonts.every((font) => FONT_NAME.test(font) && !CSS_WIDE_WORD.test(font));
  return isList && GENERIC_FONT.test(fonts.at(-1) ?? '') ? fonts.map(quotedFont).join(', ') : undefined;
}

/** In quotes, because CSS drops the whole list where a name such as Source Sans 3 has none. */
function quotedFont(font: string): string {
  const isKeyword = GENERIC_FONT.test(font) || font.toLowerCase() === '-apple-system';
  return isKeyword ? font.toLowerCase() : `"${font.replace(/["']/g, '')}"`;
}

function placeOf(node: ChildNode): { line: number; col: number } | undefined {
  const start = node.source?.start;
  return start && { line: start.line, col: start.column };
}

/** A ratio that is too low never reads like one that is enough. */
function shorten(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}
