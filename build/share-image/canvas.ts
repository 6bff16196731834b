/** A picture of a few flat colours: each pixel says of which ink it has how much. */
import { constants, deflateSync } from 'node:zlib';
import { pngOf } from '../../src/found/png.ts';
import type { Mask } from './lettering.ts';

/** Steps from paper to full ink: as many as the eye tells apart at the edge of a letter. */
const STEPS = 16;
const STEP_OF = Uint8Array.from({ length: 256 }, (_, coverage) => Math.round((coverage * STEPS) / 255));

export class Canvas {
  readonly #width: number;
  readonly #rows: Buffer;
  readonly #inks: readonly string[];
  readonly #paper: string;

  /** @param inks at most fifteen; colours are `#rrggbb` */
  constructor(width: number, height: number, paper: string, inks: readonly string[]) {
    this.#width = width;
    this.#paper = paper;
    this.#inks = inks;
    // Each row begins with the byte that tells how PNG filters it: not at all.
    this.#rows = Buffer.alloc((width + 1) * height);
  }

  /** Begins anew with what another canvas of the same size and inks shows. */
  beginWith(other: Canvas): void {
    this.#rows.set(other.#rows);
  }

  /** Lays one of the inks on the paper, where the mask covers it; the place is in whole pixels. */
  print({ coverage, width, height }: Mask, left: number, top: number, ink: string): void {
    const rows = this.#rows;
    const before = this.#inks.indexOf(ink) * STEPS;
    for (let y = 0; y < height; y += 1) {
      const start = (top + y) * (this.#width + 1) + 1 + left;
      for (let x = 0; x < width; x += 1) {
        const step = STEP_OF[coverage[y * width + x] ?? 0] ?? 0;
        if (step > 0) rows[start + x] = before + step;
      }
    }
  }

  toPng(): Buffer {
    return pngOf({
      width: this.#width,
      height: this.#rows.length / (this.#width + 1),
      depth: 8,
      palette: this.#palette(),
      rows: deflateSync(this.#rows, FLAT),
    });
  }

  #palette(): number[] {
    const paper = channels(this.#paper);
    const steps = this.#inks.flatMap((ink) =>
      Array.from({ length: STEPS }, (_, step) =>
        channels(ink).map((to, n) => mix(paper[n] ?? 0, to, (step + 1) / STEPS)),
      ),
    );
    return [paper, ...steps].flat();
  }
}

/** Looks for runs of one colour alone: six times as fast, a quarter larger. */
const FLAT = { strategy: constants.Z_RLE };

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

function mix(from: number, to: number, share: number): number {
  return Math.round(from + (to - from) * share);
}
