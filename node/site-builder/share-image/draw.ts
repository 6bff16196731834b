/**
 * Draws share images in a process of its own, so that the server never loads sharp. It receives one Order, and sends a
 * message after each picture.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { requireInter } from '../../../src/seo/inter.ts';
import type { ImageLook } from './look.ts';
import { drawShareImage } from './share-image.ts';

export interface Order {
  look: ImageLook;
  pictures: {
    /** Path to write it to. */
    file: string;
    /** Absent for the page with nothing selected. */
    name?: string;
  }[];
}

// The build was killed.
process.once('disconnect', () => process.exit(0));
// An error ends the process with status 1.
process.once('message', async (order: Order) => {
  await draw(order);
  process.disconnect();
});

async function draw({ look, pictures }: Order): Promise<void> {
  await requireInter();
  const waiting = pictures.values();
  const drawWaiting = async () => {
    for (const { file, name } of waiting) {
      writeFileSync(file, await drawShareImage(look, name));
      process.send?.('drawn');
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, drawWaiting));
}
