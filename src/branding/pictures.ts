/** The owner's pictures, as pages and share images show them. Browsers run no script of a picture in `<img>`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import sharp from 'sharp';
import { describeProblems, whyUnreadableFile } from '../catalogue/describe-problems.ts';
import { CONTENT_TYPES } from '../serving/headers.ts';
import { BrandingError } from './branding-files.ts';

// Fontconfig reads it when the first text is drawn. Resolved from the clone's folder, where all commands run, because
// Astro bundles this file and changes its path.
process.env.FONTCONFIG_FILE = resolve('src/branding/fonts.conf');

export interface Picture {
  /** On the site, with a name that changes with the content. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Width divided by height. */
  readonly ratio: number;
}

/**
 * @param cwd the clone's folder, for error messages
 * @throws {BrandingError} naming a file that is no picture
 */
export async function readPicture(file: string, cwd?: string): Promise<Picture> {
  try {
    const bytes = readFileSync(file);
    // Also decoded, since a header alone may be whole. librsvg opens no file for an SVG that is given by its bytes.
    const { width, height } = (await sharp(bytes).raw().toBuffer({ resolveWithObject: true })).info;
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
    return { path: `/_astro/logo.${hash}${extname(file)}`, bytes, ratio: width / height };
  } catch (error) {
    throw new BrandingError(describeProblems(file, [{ what: whyNoPicture(error as Error) }], cwd));
  }
}

function whyNoPicture(error: Error): string {
  if ('code' in error) return whyUnreadableFile(error);
  if (/unsupported image format|buffer is empty/i.test(error.message))
    return 'is no SVG, PNG or WebP picture: save it as one of these';
  return `is damaged: save it again as SVG, PNG or WebP (${error.message.split('\n', 1)})`;
}

/** As a data URI. */
export function dataUri(name: string, bytes: Buffer): string {
  return `data:${CONTENT_TYPES[extname(name)]};base64,${bytes.toString('base64')}`;
}

/**
 * The icon of all pages unless the owner has one: a disc. It is part of each page, so that it costs no request, and a GIF:
 * browsers create a second document for an SVG icon, which takes longer than the page's layout, and a PNG has 50 bytes more.
 * Crisp edges need two colours, of which one is transparent.
 */
export async function discIcon(colour: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" shape-rendering="crispEdges"><circle cx="16" cy="16" r="14" fill="${colour}"/></svg>`;
  const gif = await sharp(Buffer.from(svg)).gif({ colours: 2, dither: 0 }).toBuffer();
  return `data:image/gif;base64,${gif.toString('base64')}`;
}
