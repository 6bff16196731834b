import { widthOf } from '../../../src/seo/inter.ts';

/** Where the name may be, in pixels. */
export const ROOM = { width: 1040, height: 320 };
/** Space between letters, of the font size. */
export const TRACKING = -0.035;
/** Distance of two baselines, of the font size. */
export const LINE_HEIGHT = 1.2;

/** Font sizes, in pixels. */
const MAX_SIZE = 220;
const MIN_SIZE_ON_ONE_LINE = 76;
const MIN_SIZE_ON_TWO_LINES = 62;
const TRIAL_SIZE = 80;
/** Part of the room's width that is used: widths are rounded to pixels, and do not grow exactly with the size. */
const FILLED = 0.98;

export interface FittedName {
  readonly lines: readonly string[];
  /** Font size in pixels. */
  readonly size: number;
}

/** Makes a name as large as its room allows: on one line, else broken before its ending, else broken anywhere. */
export async function fitName(name: string): Promise<FittedName> {
  const whole = await fitLines([name]);
  if (whole.size >= MIN_SIZE_ON_ONE_LINE) return whole;
  const parts = name.split(/(?=\.[^.]+$)/);
  let best = await fitLines(parts);
  if (best.size >= MIN_SIZE_ON_TWO_LINES) return best;
  const longest = Math.max(...parts.map((part) => part.length));
  for (let count = 2; ; count += 1) {
    const length = Math.ceil(longest / count);
    const next = await fitLines(parts.flatMap((part) => broken(part, length)));
    if (next.size < best.size) return best;
    best = next;
  }
}

async function fitLines(lines: readonly string[]): Promise<FittedName> {
  const width = await widthOf(lines, TRIAL_SIZE, TRACKING * TRIAL_SIZE);
  const byWidth = (TRIAL_SIZE * ROOM.width * FILLED) / width;
  const byHeight = ROOM.height / (lines.length * LINE_HEIGHT);
  return { lines, size: Math.min(MAX_SIZE, byWidth, byHeight) };
}

/** Breaks a text into lines of one length, earlier after a hyphen or space in the second half of a line. */
function broken(text: string, length: number): string[] {
  const afterHyphen = `.{${Math.floor(length / 2)},${length - 1}}[- ]`;
  const lines = text.match(new RegExp(`.{1,${length}}$|${afterHyphen}|.{1,${length}}`, 'g')) ?? [];
  return lines.map((line) => line.trim());
}
