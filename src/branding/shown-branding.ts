/** What pages show of the owner's branding. */
import { readFileSync } from 'node:fs';
import type { Catalogue } from '../catalogue/schema.ts';
import { ICON } from './branding-files.ts';
import { type Colour, coloursWith, defaultTokens, schemesOf, tokenStyle } from './design-tokens.ts';
import type { Branding } from './load-branding.ts';
import { dataUri, discIcon, type Picture, readPicture } from './pictures.ts';

/** Height of the logo, in pixels. */
const LOGO_HEIGHT = 32;

export interface ShownBranding {
  /** As the meta element `color-scheme` has it. */
  readonly colorScheme: string;
  /** Colours of the browser's own bars; with `media` where visitors get either scheme. */
  readonly themeColors: readonly { readonly content: string; readonly media?: string }[];
  /** Style sheet of the design tokens, in the schemes of the setting. */
  readonly style: string;
  /** With those of the admin pages. */
  readonly adminStyle: string;
  /** URL of the icon of every page. */
  readonly icon: string;
  readonly logo?: ShownLogo;
  readonly texts: Branding['texts'];
}

export interface ShownLogo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** Another one for dark pages. */
  readonly dark?: string;
}

/** @param isInline shows pictures as data URIs: `astro dev` serves no file of them */
export async function shownBranding(
  branding: Branding,
  colorScheme: Catalogue['settings']['colorScheme'],
  isInline = false,
): Promise<ShownBranding> {
  const { tokens, texts, icon } = branding;
  const { page, accent } = coloursWith(tokens) as Record<'page' | 'accent', Colour>;
  const schemes = schemesOf(colorScheme);
  const [first = 'light'] = schemes;
  const styleOf = (isAdmin: boolean) => {
    const all = [...defaultTokens(isAdmin)].map(([name, value]) => [name, tokens[name] ?? value] as const);
    return tokenStyle(new Map(all), schemes);
  };
  const [logo, dark] = await logosOf(branding, colorScheme);
  const srcOf = ({ path, bytes }: Picture) => (isInline ? dataUri(path, bytes) : path);
  return {
    colorScheme: schemes.join(' '),
    style: styleOf(false),
    adminStyle: styleOf(true),
    themeColors: schemes.map((scheme) => ({
      content: page[scheme],
      ...(schemes.length > 1 && { media: `(prefers-color-scheme: ${scheme})` }),
    })),
    icon:
      icon === undefined
        ? await discIcon(accent[first])
        : isInline
          ? dataUri(ICON, readFileSync(icon))
          : `/${ICON}`,
    ...(logo && {
      logo: {
        src: srcOf(logo),
        width: Math.round(LOGO_HEIGHT * logo.ratio),
        height: LOGO_HEIGHT,
        ...(dark && { dark: srcOf(dark) }),
      },
    }),
    texts,
  };
}

/**
 * The logo, and another one for dark pages where there is one and visitors get either scheme.
 * @param cwd the clone's folder, for error messages
 */
export async function logosOf(
  { logo, darkLogo }: Branding,
  colorScheme: Catalogue['settings']['colorScheme'],
  cwd?: string,
): Promise<Picture[]> {
  const [first, second] = schemesOf(colorScheme).map((scheme) => (scheme === 'dark' && darkLogo) || logo);
  const files = [first, ...(second === first ? [] : [second])].filter((file) => file !== undefined);
  return await Promise.all(files.map((file) => readPicture(file, cwd)));
}
