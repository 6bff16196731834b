import { letter, type Mask } from './lettering.ts';

/** The room of the name, in pixels. */
export const ROOM = { width: 1040, height: 320 };

const STYLE = { weight: 'Bold', tracking: -0.035 } as const;
/** Sizes, in pixels: on one line, and on two, where a name that would be smaller than the least is broken further. */
const WHOLE = { least: 76, most: 220 };
const BROKEN = { least: 62, most: 120 };
const TRIAL = 80;
const LINE_HEIGHT = 1.2;

/** Draws a name as large as its room allows: on one line, else broken before its ending, else broken anywhere. */
export async function letterName(name: string): Promise<Mask> {
  const whole = await widest(name);
  if (whole >= WHOLE.least) return await fit(name, Math.min(WHOLE.most, whole));
  const broken = name.replace(/(?=\.[^.]+$)/, '\n');
  const two = await widest(broken);
  if (two >= BROKEN.least) return await fit(broken, Math.min(BROKEN.most, two));
  // As if it filled its room like water: never smaller than that, and mostly a little larger than what fits.
  const filling = Math.sqrt((ROOM.height * whole) / LINE_HEIGHT);
  return await fit(broken, Math.min(BROKEN.least, filling), ROOM.width);
}

/** The size at which a text is nearly as wide as the room. */
async function widest(text: string): Promise<number> {
  const { width } = await letter(text, { ...STYLE, size: TRIAL });
  return (TRIAL * ROOM.width * 0.98) / width;
}

/** Letters are fitted to whole pixels, so that only drawing tells how large they come out. */
async function fit(text: string, size: number, lineWidth?: number): Promise<Mask> {
  const mask = await letter(text, { ...STYLE, size, lineWidth });
  const fits = mask.width <= ROOM.width && mask.height <= ROOM.height;
  return fits ? mask : await fit(text, size * 0.97, lineWidth);
}
