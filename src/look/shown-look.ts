/** What pages show of the owner's look, besides the design tokens in their style sheets. */
import type { Catalogue } from '../catalogue/schema.ts';
import { type Colour, coloursOf, defaultTokens, type Scheme } from './design-tokens.ts';
import { inlineLogo, isInline, type LogoFile, logoFile, type ShownLogo, sizeOf } from './logo-markup.ts';
import type { Look } from './look.ts';
import { ICON } from './look-files.ts';

type ColorScheme = Catalogue['settings']['colorScheme'];

export interface ShownLook {
  /** As the meta element `color-scheme` has it. */
  readonly colorScheme: string;
  /** Colours of the browser's own bars; with `media` where visitors get either scheme. */
  readonly themeColors: readonly { readonly content: string; readonly media?: string }[];
  /** The colour of the page's icon, `#rrggbb`. */
  readonly accent: string;
  readonly logo?: ShownLogo;
  /** Path of the owner's icon, which takes the place of the pages' own. */
  readonly icon?: string;
  readonly texts: Look['texts'];
}

/** @param onlyInline shows a large logo in the page, too, and no icon: `astro dev` serves no file of them */
export function shownLook(look: Look, colorScheme: ColorScheme, onlyInline = false): ShownLook {
  const colours = coloursOfLook(look);
  const schemes = schemesOf(colorScheme);
  const page = colours.page as Colour;
  const themeColors = schemes.map((scheme) => ({
    content: page[scheme],
    ...(schemes.length > 1 && { media: `(prefers-color-scheme: ${scheme})` }),
  }));
  const [first = 'light'] = schemes;
  const file = onlyInline ? undefined : logoFileOf(look, colorScheme);
  const { logo, icon, texts } = look;
  return {
    colorScheme: schemes.join(' '),
    themeColors,
    accent: (colours.accent as Colour)[first],
    ...(logo && { logo: file ? { path: file.path, ...sizeOf(logo) } : { svg: inlineLogo(logo) } }),
    ...(icon !== undefined && !onlyInline && { icon: `/${ICON}` }),
    texts,
  };
}

/** The file of a logo that is too large for the pages themselves; undefined where there is none. */
export function logoFileOf(look: Look, colorScheme: ColorScheme): LogoFile | undefined {
  const { logo } = look;
  if (!logo || isInline(logo)) return undefined;
  return logoFile(logo, coloursOfLook(look).ink as Colour, schemesOf(colorScheme));
}

/** Every colour by its token's name. */
export function coloursOfLook({ tokens }: Look): Record<string, Colour> {
  return Object.fromEntries(coloursOf(new Map([...defaultTokens(), ...Object.entries(tokens)])));
}

/** The schemes that visitors can get. */
export function schemesOf(colorScheme: ColorScheme): Scheme[] {
  return colorScheme === 'light' || colorScheme === 'dark' ? [colorScheme] : ['light', 'dark'];
}
