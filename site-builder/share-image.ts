/** Draws the picture that chats and networks show for a page. */
import sharp, { type Sharp } from 'sharp';
import { escapeMarkup } from '#contract/escape-markup.ts';
import '../src/branding/pictures.ts';
import { shownName } from '../src/catalogue/shown-name.ts';
import { SHARE_IMAGE } from '../src/seo/share-image.ts';

/** What it shows; colours as `#rrggbb`. */
export interface ShareImage {
  /** In the corner, as in the site's own header. */
  readonly header: string;
  /** A domain's name, or a headline. */
  readonly name: string;
  readonly line: string;
  readonly colours: { page: string; ink: string; inkSoft: string; accent: string };
  /** Bytes of a picture in the corner, in place of the dot. */
  readonly logo?: Buffer | undefined;
}

/** All of these are in pixels. On every side: */
const MARGIN = 80;
const WIDTH = SHARE_IMAGE.width - 2 * MARGIN;
/** Centres of the header and of the line below the name, and lower end of the name, from the top. */
const HEADER_Y = 91;
const LINE_Y = 535;
const NAME_END = 464;
const NAME_HEIGHT = 310;
/** Font sizes of names up to a length in characters; longer ones have the last size, on several lines. */
const NAME_SIZES = [
  { length: 8, size: 220 },
  { length: 16, size: 120 },
  { length: Number.POSITIVE_INFINITY, size: 72 },
];
const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="22" height="22"><circle cx="11" cy="11" r="11" fill="ACCENT"/></svg>';
/** A few steps from the page's colour to each of the three others; a logo brings colours of its own. */
const COLOURS = 16;
const COLOURS_WITH_LOGO = 128;

/** Returns a PNG. */
export async function drawShareImage({ header, name, line, colours, logo }: ShareImage): Promise<Buffer> {
  const mark = await drawn(
    logo
      ? sharp(logo).resize({ width: 320, height: 40, fit: 'inside' })
      : sharp(Buffer.from(DOT.replace('ACCENT', colours.accent))),
  );
  const left = MARGIN + mark.raw.width + (logo ? 20 : 18);
  const { size } = NAME_SIZES.find(({ length }) => name.length <= length) as { size: number };
  const isWrapped = size === NAME_SIZES.at(-1)?.size;
  const [head, title, below] = await Promise.all([
    text(header, { size: 34, colour: colours.ink, width: MARGIN + WIDTH - left, height: 60 }),
    text(name, {
      size,
      colour: colours.accent,
      width: WIDTH,
      height: NAME_HEIGHT,
      tracking: -0.035,
      isWrapped,
    }),
    text(line, { size: 44, colour: colours.inkSoft, width: WIDTH, height: 60, weight: 'Medium' }),
  ]);
  return await sharp({ create: { ...SHARE_IMAGE, channels: 3, background: colours.page } })
    .composite([
      { ...mark, left: MARGIN, top: HEADER_Y - Math.round(mark.raw.height / 2) },
      { ...head, left, top: HEADER_Y - Math.round(head.raw.height / 2) },
      { ...title, left: MARGIN, top: NAME_END - title.raw.height },
      { ...below, left: MARGIN, top: LINE_Y - Math.round(below.raw.height / 2) },
    ])
    .png({ palette: true, colours: logo ? COLOURS_WITH_LOGO : COLOURS, dither: 0, effort: 1 })
    .toBuffer();
}

/** A domain in its own letters. A line breaks before the ending first, at a space without width. */
export function drawnName(name: string): string {
  return shownName(name).replace(/\.(?=[^.]+$)/, '\u200b.');
}

interface TextStyle {
  /** Of the font; smaller where the text would be larger than its room, `width` and `height`. */
  readonly size: number;
  readonly colour: string;
  readonly width: number;
  readonly height: number;
  readonly weight?: string;
  /** Space between letters, of the font size. */
  readonly tracking?: number;
  readonly isWrapped?: boolean;
}

async function text(content: string, style: TextStyle) {
  const { size, colour, width, height, weight = 'Bold', tracking = 0, isWrapped } = style;
  // Without calt, which draws an x between digits as a multiplication sign. Pango's units are 1/1024 of a pixel.
  const attributes = `foreground="${colour}" letter_spacing="${Math.round(tracking * size * 1024)}" font_features="calt 0" insert_hyphens="no"`;
  const markup = `<span ${attributes}>${escapeMarkup(content)}</span>`;
  const lines = isWrapped ? ({ width, wrap: 'word-char' } as const) : {};
  return await drawn(
    sharp({ text: { text: markup, font: `Inter ${weight} ${size}`, dpi: 72, rgba: true, ...lines } }).resize({
      width,
      height,
      fit: 'inside',
      withoutEnlargement: true,
    }),
  );
}

async function drawn(picture: Sharp) {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: info.channels } };
}
