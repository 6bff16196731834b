import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { domainToASCII } from 'node:url';
import sharp from 'sharp';
import { letterName } from './letter-name.ts';
import { readLook } from './look.ts';
import { openPictures } from './picture.ts';

const label = (letter: string, length: number) => letter.repeat(length);
const LONGEST = `${[63, 63, 63, 57].map((length) => label('w', length)).join('.')}.app`;
/** Where nothing but paper may be, in pixels: from each edge, and in rows between the header and the name. */
const FREE = 70;
const BETWEEN = { from: 120, to: 150 };

describe('a share image', async () => {
  const look = readLook();
  const { draw } = await openPictures(look);

  const NAMES = {
    'a short name': 'lap.app',
    'a name of one letter': 'i.io',
    'a label of 63 letters': `${label('m', 63)}.example`,
    'a label of 63 hyphens and letters': `${label('a-', 31)}a.example`,
    'the longest possible name, in the widest letters': LONGEST,
    'the longest possible name, in the narrowest letters': LONGEST.replaceAll('w', 'i'),
    'a long ending': `a.${label('w', 63)}`,
    'a name with accents above and below': domainToASCII('ąćęłńóśźżäöüçğșțåø.example'),
    'the page with nothing selected': undefined,
  };
  for (const [what, name] of Object.entries(NAMES)) {
    test(`is 1200 × 630 and keeps to its room with ${what}`, async () => {
      const image = sharp(await draw(name));
      const { format, width, height } = await image.metadata();
      assert.deepEqual({ format, width, height }, { format: 'png', width: 1200, height: 630 });
      const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
      const inked = inkedBox(data, info);
      assert.ok(inked.left >= FREE && inked.right < 1200 - FREE, JSON.stringify(inked));
      assert.ok(inked.top >= FREE && inked.bottom < 630 - FREE, JSON.stringify(inked));
      const between = data.subarray(BETWEEN.from * 1200 * info.channels, BETWEEN.to * 1200 * info.channels);
      assert.equal(inkedBox(between, info).right, 0, 'the name touches the header');
    });
  }

  test('shows its name in the accent colour of the site, on the colour of its pages', async () => {
    const { data } = await sharp(await draw('lap.app'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const count = new Map<string, number>();
    for (let at = 0; at < data.length; at += 3) {
      const colour = `#${data.toString('hex', at, at + 3)}`;
      count.set(colour, (count.get(colour) ?? 0) + 1);
    }
    const [first, second] = [...count].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
    assert.deepEqual([first, second], [look.colours.page, look.colours.accent]);
  });

  test('breaks a name before its ending first', async () => {
    const [whole, broken] = await Promise.all(
      ['the-quick-brown-fox.com', 'the-quick-brown-fox-jumps-over.com'].map(letterName),
    );
    assert.ok(whole && broken);
    const lowest = broken.coverage.subarray(broken.width * Math.round(broken.height * 0.65));
    const { right } = inkedBox(lowest, { width: broken.width, channels: 1 }, 0);
    assert.ok(right < broken.width / 3, `the last line is ${right} of ${broken.width} pixels wide`);
    assert.ok(whole.height < broken.height);
  });

  test('of two names is never the same', async () => {
    assert.notDeepEqual(await draw('lap.app'), await draw('lap.apps'));
    assert.deepEqual(await draw('lap.app'), await draw('lap.app'));
  });
});

/** What differs from the first pixel, which is paper. */
function inkedBox(data: Buffer, { width, channels }: { width: number; channels: number }, paper = data[0]) {
  const box = { left: width, right: 0, top: Number.POSITIVE_INFINITY, bottom: 0 };
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] === paper) continue;
    const x = (at / channels) % width;
    const y = Math.floor(at / channels / width);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}
