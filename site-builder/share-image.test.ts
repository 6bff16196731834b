import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { domainToASCII, pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { drawnName, drawShareImage, type ShareImage } from './share-image.ts';

const label = (letter: string, length: number) => letter.repeat(length);
const LONGEST = `${[63, 63, 63, 57].map((length) => label('w', length)).join('.')}.app`;
/** Where nothing but the page's colour may be, in pixels: from each edge, and in rows between the header and the name. */
const FREE = 70;
const BETWEEN = { from: 120, to: 150 };
const MAX_BYTES = 30_000;

const IMAGE: ShareImage = {
  header: 'Your Next Domain Awaits',
  name: 'lap.app',
  line: 'This domain is for sale',
  colours: { page: '#f7f6f2', ink: '#131318', inkSoft: '#5c5d66', accent: '#2a23e0' },
};

describe('a share image', () => {
  const NAMES = {
    'a short name': 'lap.app',
    'a name of one letter': 'i.io',
    'a short name in wide letters': 'mmmm.app',
    'a name of medium length in wide letters': 'mmmmmmmmmmmm.app',
    'a label of 63 letters': `${label('m', 63)}.example`,
    'a label of 63 hyphens and letters': `${label('a-', 31)}a.example`,
    'the longest possible name, in the widest letters': LONGEST,
    'the longest possible name, in the narrowest letters': LONGEST.replaceAll('w', 'i'),
    'a long ending': `a.${label('w', 63)}`,
    'a name with accents above and below': domainToASCII('ąćęłńóśźżäöüçğșțåø.example'),
  };
  for (const [what, name] of Object.entries(NAMES)) {
    test(`a share image is a PNG of 1200 × 630, at most 30 kB, with free edges: ${what}`, async () => {
      const png = await drawShareImage({ ...IMAGE, name: drawnName(name) });
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

  test('the font is Inter, in which letters differ in width', async () => {
    const [narrow, wide] = await Promise.all(
      ['iiiiii', 'mmmmmm'].map(async (name) => {
        const image = sharp(await drawShareImage({ ...IMAGE, header: '.', line: '.', name }));
        const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
        return inkedBox(data, info).right;
      }),
    );
    assert.ok(Number(wide) > Number(narrow) * 2, `${wide} and ${narrow}`);
  });

  test('a logo takes the place of the dot', async () => {
    const logo = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><path d="M0 0h40v5h-40z"/><path fill="#12b76a" d="M0 5h40v5h-40z"/></svg>',
    );
    const colourAt = await pixelsOf({ ...IMAGE, logo });
    assert.ok(distance(colourAt(100, 80), '#000000') <= 4, colourAt(100, 80));
    assert.ok(distance(colourAt(100, 102), '#12b76a') <= 4, colourAt(100, 102));
    assert.ok(distance(colourAt(90, 130), IMAGE.colours.page) <= 4, colourAt(90, 130));
  });

  test('a logo reads no other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'logo-'));
    const png = await sharp({ create: { width: 40, height: 10, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const file = join(folder, 'secret.png');
    writeFileSync(file, png);
    const logoWith = (url: string) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 10"><path fill="#12b76a" d="M0 5h40v5h-40z"/><image href="${url}" xlink:href="${url}" width="40" height="10"/></svg>`,
      );
    const upperColour = async (url: string) => (await pixelsOf({ ...IMAGE, logo: logoWith(url) }))(100, 80);
    // What would be seen of a file that is read.
    const shown = await upperColour(`data:image/png;base64,${png.toString('base64')}`);
    assert.ok(distance(shown, '#ff0000') <= 4, shown);
    for (const url of [pathToFileURL(file).href, file, 'secret.png', relative(process.cwd(), file)]) {
      const colour = await upperColour(url);
      assert.ok(distance(colour, IMAGE.colours.page) <= 4, `${url}: ${colour}`);
    }
    rmSync(folder, { recursive: true });
  });

  test('long texts of the owner are drawn smaller, within the edges', async () => {
    const long = 'W'.repeat(60);
    const image = sharp(await drawShareImage({ ...IMAGE, header: long, line: long }));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const inked = inkedBox(data, info);
    assert.ok(inked.left >= FREE && inked.right < 1200 - FREE, JSON.stringify(inked));
  });

  test('a share image shows its name in the accent colour on the page colour', async () => {
    const { data } = await sharp(await drawShareImage(IMAGE))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const count = Map.groupBy(
      Array.from({ length: data.length / 3 }, (_, n) => data.readUIntBE(n * 3, 3)),
      (colour) => colour,
    );
    const frequent = [...count].sort(([, a], [, b]) => b.length - a.length).map(([colour]) => colour);
    for (const [n, wanted] of [IMAGE.colours.page, IMAGE.colours.accent].entries()) {
      const colour = `#${frequent[n]?.toString(16).padStart(6, '0')}`;
      assert.ok(distance(colour, wanted) <= 2, `${colour} instead of ${wanted}`);
    }
  });

  test('a share image shows an x between digits as x', async () => {
    // Inter draws a multiplication sign for it, unless it is told not to.
    const [letter, sign] = await Promise.all(
      ['2x4', '2×4'].map((name) => drawShareImage({ ...IMAGE, name })),
    );
    assert.notDeepEqual(letter, sign);
  });

  test('share images of two names differ', async () => {
    const other = { ...IMAGE, name: 'lap.apps' };
    assert.notDeepEqual(await drawShareImage(IMAGE), await drawShareImage(other));
    assert.deepEqual(await drawShareImage(IMAGE), await drawShareImage(IMAGE));
  });
});

describe('a name in a picture', () => {
  const DRAWN: [name: string, drawn: string, why: string][] = [
    ['lap.app', 'lap.app', 'stays as it is'],
    ['xn--bcher-kva.example', 'bücher.example', 'is in its own letters'],
    ['xn--kda4b0koi.pl', 'żółć.pl', 'is in its own letters, Polish ones too'],
    ['xn--a.example', 'xn--a.example', 'stays as it is because it cannot be decoded'],
  ];
  for (const [name, drawn, why] of DRAWN) {
    test(`the drawn name of ${name} ${why}`, () =>
      assert.equal(drawnName(name), drawn.replace('.', '\u200b.')));
  }
});

/** The colour of each pixel of a share image, as `#rrggbb`. */
async function pixelsOf(shown: ShareImage): Promise<(x: number, y: number) => string> {
  const { data, info } = await sharp(await drawShareImage(shown))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return (x, y) => `#${data.toString('hex', (y * info.width + x) * info.channels).slice(0, 6)}`;
}

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
