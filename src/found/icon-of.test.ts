import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import sharp from 'sharp';
import { letter } from '../../build/share-image/lettering.ts';
import { ICON_SIZE, iconOf } from './icon-of.ts';

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

const MIDDLE = ICON_SIZE / 2;

/** At the left of the letter, where it never reaches. */
const paperOf = async (domain: string) => (await pixelsOf(iconOf(domain)))(2, MIDDLE).slice(0, 3);

for (const name of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
  test(`a domain’s icon shows its first letter in white, in the font of the share images: ${name}`, async () => {
    const pixel = await pixelsOf(iconOf(`${name.toLowerCase()}x.example`));
    const { coverage, width, height } = await letter(name, { weight: 'Bold', size: 24 });
    const [left, top] = [width, height].map((size) => Math.round((ICON_SIZE - size) / 2));
    let other = 0;
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        const [red = 0, green = 0, blue = 0] = pixel((left ?? 0) + x, (top ?? 0) + y);
        const isWhite = Math.min(red, green, blue) > 200;
        if (isWhite !== (coverage[y * width + x] ?? 0) > 191) other += 1;
      }
    assert.ok(other < (width * height) / 20, `${other} of ${width * height} pixels`);
  });
}

test('an internationalised name’s letter is shown without its accent', async () => {
  const [plain, accented] = await Promise.all(['ux.app', domainToASCII('über.app')].map(shapeOf));
  assert.equal(accented, plain);
});

test('a letter of another script gives way to a disc, as the page with nothing selected has one', async () => {
  const disc = await shapeOf();
  assert.equal(await shapeOf(domainToASCII('商店.example')), disc);
  assert.notEqual(await shapeOf('lap.app'), disc);
  const pixel = await pixelsOf(iconOf());
  assert.deepEqual(pixel(MIDDLE, MIDDLE), [0x2f, 0x4b, 0xd8, 255]);
  assert.equal(pixel(0, 0)[3], 0);
});

test('a name has always the same colour, and different names different ones', async () => {
  assert.equal(iconOf('lap.app'), iconOf('lap.app'));
  const names = ['lap.app', 'sample.app', 'site.example', 'host.example'];
  assert.equal(new Set((await Promise.all(names.map(paperOf))).map(String)).size, names.length);
});

test('white can be read on every colour', async () => {
  const seen = new Set<string>();
  for (let n = 0; n < 500; n += 1) {
    const paper = await paperOf(`a${n}.example`);
    seen.add(String(paper));
    assert.ok(1.05 / (luminance(paper) + 0.05) >= 4.5, String(paper));
  }
  assert.equal(seen.size, 36);
});

/** What is inside and outside of the letter or disc, whatever its colours. */
async function shapeOf(domain?: string): Promise<string> {
  const pixel = await pixelsOf(iconOf(domain));
  let shape = '';
  const first = String(pixel(2, MIDDLE));
  for (let y = 0; y < ICON_SIZE; y += 1)
    for (let x = 0; x < ICON_SIZE; x += 1) shape += String(pixel(x, y)) === first ? '#' : '.';
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
