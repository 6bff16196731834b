/** The logo as pages have it: in the page itself where it is small, else a file. */
import { createHash } from 'node:crypto';
import type { Colour, Scheme } from './design-tokens.ts';
import type { Logo } from './look.ts';

/** In pixels. */
const HEIGHT = 32;
/** A larger one costs a request, and each page fewer bytes. */
const MAX_INLINE_BYTES = 2048;

/** What a page needs to show the logo. */
export type ShownLogo =
  | { readonly svg: string }
  | { readonly path: string; readonly width: number; readonly height: number };

/** A file to write into the site. */
export interface LogoFile {
  /** On the site, with a name that changes with the content. */
  readonly path: string;
  readonly content: string;
}

export function isInline(logo: Logo): boolean {
  return Buffer.byteLength(inlineLogo(logo)) <= MAX_INLINE_BYTES;
}

/** The header's text stands beside it, so that it needs no name of its own. */
export function inlineLogo(logo: Logo): string {
  const { viewBox, presentation, content } = logo;
  const { width, height } = sizeOf(logo);
  return `<svg class="logo" width="${width}" height="${height}" viewBox="${viewBox}"${presentation} aria-hidden="true">${content}</svg>`;
}

/**
 * @param ink the colour of the page's text, which `currentColor` means
 * @param schemes in which the pages are shown
 */
export function logoFile(logo: Logo, ink: Colour, schemes: readonly Scheme[]): LogoFile {
  const { viewBox, presentation, content } = logo;
  const { width, height } = sizeOf(logo);
  const [first = 'light', ...others] = schemes;
  const rules = others.map((scheme) => `@media(prefers-color-scheme:${scheme}){svg{color:${ink[scheme]}}}`);
  const style = `<style>svg{color:${ink[first]}}${rules.join('')}</style>`;
  const hasInk = `${presentation}${content}`.includes('currentColor');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}"${presentation}>${hasInk ? style : ''}${content}</svg>\n`;
  const hash = createHash('sha256').update(svg).digest('base64url').slice(0, 8);
  return { path: `/_astro/logo.${hash}.svg`, content: svg };
}

export function sizeOf({ ratio }: Logo): { width: number; height: number } {
  return { width: Math.round(HEIGHT * ratio), height: HEIGHT };
}
