/** Writes src/found/icon-letters.ts: `node scripts/draw-icon-letters.ts`, where the letters of icons are to look otherwise. */
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { letter, type Mask, mustHaveFont } from '../build/share-image/lettering.ts';
import { ICON_SIZE } from '../src/found/icon-of.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** In pixels: of the letters, of the corners' rounding, and of the disc. */
const LETTER = 24;
const CORNER = 7;
const DISC = 28;

/** As src/found/icon-of.ts colours them. */
const [OUTSIDE, PAPER, EDGE, INK] = [0, 1, 2, 3];

await mustHaveFont();
const lines = [`  disc: '${compressed(disc)}',`];
for (const name of LETTERS) {
  const mask = await letter(name, { weight: 'Bold', size: LETTER });
  lines.push(`  ${/\d/.test(name) ? `'${name}'` : name}: '${compressed(onPaper(mask))}',`);
}
writeFileSync(
  'src/found/icon-letters.ts',
  `// Written by scripts/draw-icon-letters.ts.
/** What icons show: rows of ${ICON_SIZE} pixels as a PNG has them, compressed, in base64. */
export const ICON_LETTERS: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);

function compressed(pixel: (x: number, y: number) => number): string {
  const rows: number[] = [];
  for (let y = 0; y < ICON_SIZE; y += 1) {
    rows.push(0);
    for (let x = 0; x < ICON_SIZE; x += 4)
      rows.push([0, 1, 2, 3].reduce((byte, next) => (byte << 2) | pixel(x + next, y), 0));
  }
  const forms = [0, 1, 2, 3, 4].map((strategy) => deflateSync(Buffer.from(rows), { level: 9, strategy }));
  const [shortest] = forms.sort((one, other) => one.length - other.length);
  return shortest?.toString('base64') ?? '';
}

/** In the middle of a square with round corners. */
function onPaper({ coverage, width, height }: Mask): (x: number, y: number) => number {
  const left = Math.round((ICON_SIZE - width) / 2);
  const top = Math.round((ICON_SIZE - height) / 2);
  return (x, y) => {
    if (distance(x, y, ICON_SIZE / 2 - CORNER) > CORNER) return OUTSIDE;
    const isLetter = x >= left && x < left + width && y >= top && y < top + height;
    const covered = isLetter ? (coverage[(y - top) * width + x - left] ?? 0) : 0;
    return [PAPER, EDGE, INK][Math.round((covered / 255) * 2)] ?? PAPER;
  };
}

function disc(x: number, y: number): number {
  const beyond = distance(x, y, 0) - DISC / 2;
  if (beyond > 0.5) return OUTSIDE;
  return beyond > -0.5 ? EDGE : PAPER;
}

/** How far a pixel is from a square around the middle; of half that many pixels. */
function distance(x: number, y: number, half: number): number {
  const away = (at: number) => Math.max(0, Math.abs(at + 0.5 - ICON_SIZE / 2) - half);
  return Math.hypot(away(x), away(y));
}
