/** The picture of one page, as a PNG of 1200 × 630 pixels. */
import { SHARE_IMAGE } from '../../src/found/share-image.ts';
import { Canvas } from './canvas.ts';
import { drawnName } from './drawn-name.ts';
import { letterName, ROOM } from './letter-name.ts';
import { letter, type Mask, mustHaveFont } from './lettering.ts';
import type { Look } from './look.ts';

export interface Pictures {
  /** @param name the page's domain; absent for the page with nothing selected */
  draw(name?: string): Promise<Buffer>;
}

const { width, height } = SHARE_IMAGE;
/** Free on every side, in pixels. */
const MARGIN = (width - ROOM.width) / 2;
const DOT = 22;
/** Where the line below the name begins, and how far below the name. */
const BELOW = 518;
const GAP = 44;

/**
 * Draws what all pictures share, once.
 * @throws Error where the font cannot be read
 */
export async function openPictures({ header, forSale, home, colours }: Look): Promise<Pictures> {
  await mustHaveFont();
  const { page, ink, inkSoft, accent } = colours;
  const title = await letter(header, { weight: 'Bold', size: 34 });
  const blank = () => new Canvas(width, height, page, [accent, ink, inkSoft]);
  const common = blank();
  common.print(disc(DOT), MARGIN, MARGIN, accent);
  common.print(title, MARGIN + 40, MARGIN - 3, ink);
  const line = (text: string) => letter(text, { weight: 'Medium', size: 44, tracking: -0.01 });
  const lines = { forSale: await line(forSale), home: await line(home.line) };

  // One for all pictures: ten thousand would have to be tidied up.
  const canvas = blank();
  return {
    draw: async (name) => {
      const words = await letterName(name === undefined ? home.headline : drawnName(name));
      const below = name === undefined ? lines.home : lines.forSale;
      canvas.beginWith(common);
      canvas.print(below, MARGIN, BELOW, inkSoft);
      canvas.print(words, MARGIN, BELOW - GAP - words.height, accent);
      return canvas.toPng();
    },
  };
}

function disc(size: number): Mask {
  const coverage = Buffer.alloc(size * size);
  const centre = (size - 1) / 2;
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const inside = size / 2 + 0.5 - Math.hypot(x - centre, y - centre);
      coverage[y * size + x] = 255 * Math.min(1, Math.max(0, inside));
    }
  return { coverage, width: size, height: size };
}
