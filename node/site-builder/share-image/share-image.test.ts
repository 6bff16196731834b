import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { domainToASCII } from 'node:url';
import sharp from 'sharp';
import { fitName } from './fit-name.ts';
import { readImageLook } from './look.ts';
import { drawShareImage, svgOf } from './share-image.ts';

const label = (letter: string, length: number) => letter.repeat(length);
const LONGEST = `${[63, 63, 63, 57].map((length) => label('w', length)).join('.')}.app`;
/** Where nothing but the page's colour may be, in pixels: from each edge, and in rows between the header and the name. */
const FREE = 70;
const BETWEEN = { from: 120, to: 150 };
const MAX_BYTES = 25_000;

describe('a share image', () => {
  const look = readImageLook();

  const NAMES = {
    'a short name': 'lap.app',
    'a name of one letter': 'i.io',
    'a name that begins with a wide letter': 'www.app',
    'a label of 63 letters': `${label('m', 63)}.example`,
    'a label of 63 hyphens and letters': `${label('a-', 31)}a.example`,
    'the longest possible name, in the widest letters': LONGEST,
    'the longest possible name, in the narrowest letters': LONGEST.replaceAll('w', 'i'),
    'a long ending': `a.${label('w', 63)}`,
    'a name with accents above and below': domainToASCII('ąćęłńóśźżäöüçğșțåø.example'),
    'the page with nothing selected': undefined,
  };
  for (const [what, name] of Object.entries(NAMES)) {
    test(`a share image is a PNG of 1200 × 630, at most 25 kB, with free edges: ${what}`, async () => {
      const png = await drawShareImage(look, name);
      assert.ok(png.byteLength <= MAX_BYTES, String(png.byteLength));
      const image = sharp(png);
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

  test('a logo takes the place of the dot, with the ink as its currentColor', async () => {
    const logo = {
      viewBox: '0 0 40 10',
      presentation: ' fill="currentColor"',
      content: '<path d="M0 0h40v5h-40z"/><path fill="#12b76a" d="M0 5h40v5h-40z"/>',
      ratio: 4,
    };
    const image = sharp(await drawShareImage({ ...look, logo }, 'lap.app'));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const colourAt = (x: number, y: number) =>
      `#${data
        .readUIntBE((y * info.width + x) * info.channels, 3)
        .toString(16)
        .padStart(6, '0')}`;
    assert.ok(distance(colourAt(100, 80), look.colours.ink) <= 4, colourAt(100, 80));
    assert.ok(distance(colourAt(100, 102), '#12b76a') <= 4, colourAt(100, 102));
    assert.ok(distance(colourAt(90, 130), look.colours.page) <= 4, colourAt(90, 130));
  });

  test('long texts of the owner are drawn smaller, within the edges', async () => {
    const long = 'W'.repeat(60);
    const owners = { ...look, header: long, forSale: long };
    const image = sharp(await drawShareImage(owners, 'lap.app'));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const inked = inkedBox(data, info);
    assert.ok(inked.left >= FREE && inked.right < 1200 - FREE, JSON.stringify(inked));
  });

  test('a share image shows its name in the accent colour on the page colour', async () => {
    const { data } = await sharp(await drawShareImage(look, 'lap.app'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const count = Map.groupBy(
      Array.from({ length: data.length / 3 }, (_, n) => data.readUIntBE(n * 3, 3)),
      (colour) => colour,
    );
    const frequent = [...count].sort(([, a], [, b]) => b.length - a.length).map(([colour]) => colour);
    for (const [n, wanted] of [look.colours.page, look.colours.accent].entries()) {
      const colour = `#${frequent[n]?.toString(16).padStart(6, '0')}`;
      assert.ok(distance(colour, wanted) <= 2, `${colour} instead of ${wanted}`);
    }
  });

  test('a share image shows an x between digits as x', async () => {
    assert.match(await svgOf(look, '2x4.app'), />2<tspan>x<\/tspan>4\.app</);
    const [joined, apart] = await Promise.all(
      ['2x4', '2<tspan>x</tspan>4'].map((text) => {
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text y="50" font-family="Inter" font-weight="700" font-size="50">${text}</text></svg>`;
        return sharp(Buffer.from(svg)).raw().toBuffer();
      }),
    );
    assert.notDeepEqual(joined, apart, 'librsvg no longer draws ×: the element around the x can go');
  });

  test('a share image breaks a name before its ending first, then after hyphens', async () => {
    const linesOf = async (name: string) => (await fitName(name)).lines;
    assert.deepEqual(await linesOf('the-quick-brown-fox.com'), ['the-quick-brown-fox.com']);
    assert.deepEqual(await linesOf('the-quick-brown-fox-jumps-over.com'), [
      'the-quick-brown-fox-jumps-over',
      '.com',
    ]);
    assert.deepEqual(await linesOf('the-quick-brown-fox-jumps-over-the-lazy-dog.com'), [
      'the-quick-brown-fox-',
      'jumps-over-the-lazy-',
      'dog',
      '.com',
    ]);
  });

  test('share images of two names differ', async () => {
    assert.notDeepEqual(await drawShareImage(look, 'lap.app'), await drawShareImage(look, 'lap.apps'));
    assert.deepEqual(await drawShareImage(look, 'lap.app'), await drawShareImage(look, 'lap.app'));
  });
});

/** The largest difference of a channel of two colours. */
function distance(one: string, other: string): number {
  return Math.max(
    ...[1, 3, 5].map((n) =>
      Math.abs(Number.parseInt(one.slice(n, n + 2), 16) - Number.parseInt(other.slice(n, n + 2), 16)),
    ),
  );
}

/** What differs from the first pixel. */
function inkedBox(data: Buffer, { width, channels }: { width: number; channels: number }) {
  const box = { left: width, right: 0, top: Number.POSITIVE_INFINITY, bottom: 0 };
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] === data[0]) continue;
    const x = (at / channels) % width;
    const y = Math.floor(at / channels / width);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}
