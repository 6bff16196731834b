import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import sharp from 'sharp';
import { ICON_SIZE, iconOf } from './icon-of.ts';

const MIDDLE = ICON_SIZE / 2;
/** Of a data URI, which is part of each page. */
const MAX_LENGTH = 350;

type Pixel = (x: number, y: number) => number[];

async function pixelsOf(icon: string): Promise<Pixel> {
  const [type, bytes = ''] = icon.split(',');
  assert.equal(type, 'data:image/png;base64');
  const { data, info } = await sharp(Buffer.from(bytes, 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [ICON_SIZE, ICON_SIZE, 4]);
  return (x, y) => [...data.subarray((y * ICON_SIZE + x) * 4, (y * ICON_SIZE + x) * 4 + 4)];
}

/** At the left of the letter, where it never reaches. */
const backgroundOf = async (domain: string) => (await pixelsOf(await iconOf(domain)))(2, MIDDLE).slice(0, 3);

test('each letter and digit has its own small white icon', async () => {
  const shapes = new Set<string>();
  for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
    const icon = await iconOf(`${letter}x.example`);
    assert.ok(icon.length <= MAX_LENGTH, `${letter}: ${icon.length}`);
    const shape = await shapeOf(`${letter}x.example`);
    const white = shape.split('#').length - 1;
    assert.ok(white > 40 && white < 300, `${letter}: ${white} white pixels`);
    shapes.add(shape);
  }
  assert.equal(shapes.size, 36);
});

test('an icon shows a letter without its accent', async () => {
  assert.equal(await shapeOf(domainToASCII('über.app')), await shapeOf('ux.app'));
});

test('the icon of a domain in another script is a disc, as that of the page with nothing selected', async () => {
  for (const domain of [domainToASCII('商店.example'), undefined]) {
    const pixel = await pixelsOf(await iconOf(domain));
    assert.equal(pixel(MIDDLE, MIDDLE)[3], 255);
    assert.deepEqual(pixel(MIDDLE, MIDDLE), pixel(6, MIDDLE));
    assert.equal(pixel(0, 0)[3], 0);
  }
  const [red = 0, green = 0, blue = 0] = (await pixelsOf(await iconOf()))(MIDDLE, MIDDLE);
  assert.ok(Math.max(Math.abs(red - 0x2a), Math.abs(green - 0x23), Math.abs(blue - 0xe0)) <= 2);
});

test('the colour of an icon depends on the name only', async () => {
  assert.equal(await iconOf('lap.app'), await iconOf('lap.app'));
  const names = ['lap.app', 'sample.app', 'site.example', 'host.example'];
  assert.equal(new Set((await Promise.all(names.map(backgroundOf))).map(String)).size, names.length);
});

test('white has enough contrast on every icon colour', async () => {
  const seen = new Set<string>();
  for (let n = 0; n < 500; n += 1) {
    const background = await backgroundOf(`a${n}.example`);
    seen.add(String(background));
    assert.ok(1.05 / (luminance(background) + 0.05) >= 4.5, String(background));
  }
  assert.equal(seen.size, 36);
});

/** The white pixels as #. */
async function shapeOf(domain: string): Promise<string> {
  const pixel = await pixelsOf(await iconOf(domain));
  let shape = '';
  for (let y = 0; y < ICON_SIZE; y += 1)
    for (let x = 0; x < ICON_SIZE; x += 1) shape += Math.min(...pixel(x, y)) > 200 ? '#' : '.';
  return shape;
}

/** WCAG’s relative luminance. */
function luminance(colour: number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
