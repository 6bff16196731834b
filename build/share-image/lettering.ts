/** Text as a mask, drawn by Pango (inside sharp) in the font that is installed with the project. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';

// Read with the first text that is drawn: no font of this machine, so that pictures come out the same everywhere.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'fonts.conf');

// Many small drawings: threads and a cache of its own would cost more than they save.
sharp.concurrency(1);
sharp.cache(false);

/** How much of each pixel is covered, 0 to 255, row by row; cropped to what is inked. */
export interface Mask {
  readonly coverage: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface Lettering {
  weight: 'Medium' | 'Bold';
  /** In pixels. */
  size: number;
  /** Between letters, as a share of the size. */
  tracking?: number;
  /** Where lines end at the latest, in pixels, after a hyphen or between letters; absent: only at `\n`. */
  lineWidth?: number | undefined;
}

/** Draws a text; `\n` begins a new line. */
export async function letter(text: string, lettering: Lettering): Promise<Mask> {
  const { weight, size, tracking = 0, lineWidth } = lettering;
  const spacing = Math.round(tracking * size * PANGO_UNITS);
  const { data, info } = await sharp({
    text: {
      text: `<span letter_spacing="${spacing}" ${AS_TYPED}>${asMarkup(text)}</span>`,
      font: `Inter ${weight} ${size.toFixed(1)}`,
      fontfile: FONT_FILES[weight],
      dpi: 72,
      ...(lineWidth === undefined ? {} : { width: lineWidth, wrap: 'word-char' }),
    },
  })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { coverage: data, width: info.width, height: info.height };
}

/**
 * Pango draws boxes of one width for a font that it cannot read, without a word.
 * @throws Error where that is so
 */
export async function mustHaveFont(): Promise<void> {
  const [narrow, wide] = await Promise.all(
    ['i', 'm'].map((text) => letter(text, { weight: 'Bold', size: 100 })),
  );
  if (narrow && wide && narrow.width * 2 < wide.width) return;
  throw new Error('The font of the share images cannot be read: install the packages anew with npm ci.');
}

const { resolve } = createRequire(import.meta.url);
const FONT_FILES = {
  Medium: resolve('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf'),
  Bold: resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
};

const PANGO_UNITS = 1024;

/** No hyphens where a line ends, and none of the font's refinements: they would write 2x4 as 2×4. */
const AS_TYPED = 'insert_hyphens="false" font_features="calt=0,liga=0"';

function asMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
