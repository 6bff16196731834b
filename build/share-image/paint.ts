/**
 * A process of its own that draws share images: its memory goes when it ends, and the server never loads the library.
 * It is sent one Order and sends how many pictures it has made, now and then.
 */
import { writeFileSync } from 'node:fs';
import type { Look } from './look.ts';
import { openPictures } from './picture.ts';

export interface Order {
  look: Look;
  pictures: {
    /** Path to write it to. */
    file: string;
    /** Absent for the page with nothing selected. */
    name?: string;
  }[];
}

/** After so many pictures a word of progress. */
const OFTEN = 50;

// When the build is killed, too: nobody waits for the rest.
process.once('disconnect', () => process.exit(0));
process.once('message', (order: Order) => {
  void paint(order).then(
    () => process.disconnect(),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function paint({ look, pictures }: Order): Promise<void> {
  const { draw } = await openPictures(look);
  let made = 0;
  for (const { file, name } of pictures) {
    writeFileSync(file, await draw(name));
    made += 1;
    if (made % OFTEN === 0) process.send?.(OFTEN);
  }
}
