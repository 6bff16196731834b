/** The font of icons and share images, for sharp, which draws the text of an SVG by Pango and fontconfig. */
import { resolve } from 'node:path';
import sharp from 'sharp';
import { escapeMarkup } from '#contract/escape-markup.ts';

// Fontconfig reads it when the first text is drawn. Resolved from the project's root, where all commands run, because
// Astro bundles this file and changes its path.
process.env.FONTCONFIG_FILE = resolve('src/seo/fonts.conf');

/** Pango's units in a pixel. */
const PANGO_UNITS = 1024;

/**
 * Width in pixels of what is drawn of the widest line of a text in Inter Bold.
 * @param size of the font, in pixels
 * @param letterSpacing in pixels
 */
export async function widthOf(lines: readonly string[], size: number, letterSpacing = 0): Promise<number> {
  const spacing = Math.round(letterSpacing * PANGO_UNITS);
  const text = `<span letter_spacing="${spacing}">${lines.map(escapeMarkup).join('\n')}</span>`;
  const { width } = await sharp({ text: { text, font: `Inter Bold ${size}`, dpi: 72 } }).metadata();
  return width;
}

/**
 * Pango draws boxes of one width, without an error, if it cannot read the font.
 * @throws Error if it cannot
 */
export async function requireInter(): Promise<void> {
  if ((await widthOf(['i'], 100)) * 2 < (await widthOf(['m'], 100))) return;
  throw new Error('Could not read the font of the share images. Run npm ci and try again.');
}
