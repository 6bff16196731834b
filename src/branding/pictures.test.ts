import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { discIcon } from './pictures.ts';

test('the icon is a disc of its colour in at most 120 bytes', async () => {
  const gif = Buffer.from((await discIcon('#8a3b12')).replace(/^data:image\/gif;base64,/, ''), 'base64');
  assert.ok(gif.byteLength <= 120, `${gif.byteLength} bytes`);
  const { data, info } = await sharp(gif).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4),
  ];
  assert.deepEqual([info.width, info.height], [32, 32]);
  assert.deepEqual(pixel(16, 16), [0x8a, 0x3b, 0x12, 255]);
  assert.equal(pixel(0, 0)[3], 0);
});
