import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { DomainEntry } from '../catalogue/schema.ts';
import { MAX_NAMES, namesWithImage, shareImagePath } from './share-image.ts';

test('every page has the unique URL of its share image', () => {
  assert.equal(shareImagePath('lap.app'), '/share/lap.app.png');
  assert.equal(shareImagePath(), '/share/home.png');
});

test('share images of the longest names have valid file names', () => {
  const longest = (ending: string) => `${'a'.repeat(62)}.`.repeat(4).slice(0, 249) + ending;
  const paths = ['.app', '.dev'].map((ending) => shareImagePath(longest(ending)));
  assert.equal(longest('.app').length, 253);
  assert.equal(new Set(paths).size, 2);
  for (const url of paths) assert.ok(basename(url).length <= 255, url);
});

const named = (...names: string[]) => names.map((name) => ({ name }) as DomainEntry);

test('names in Latin letters have their own share image, others the one without a name', () => {
  const latin = ['lap.app', 'xn--bcher-kva.example', 'xn--kda4b0koi.pl', 'xn--a.example'];
  const other = [
    'xn--mgbh0fb.com',
    'xn--mgba3a4f16a.ir',
    'xn--4dbrk0ce.example',
    'xn--e1afmkfd.example',
    'xn--wgv71a119e.com',
    'xn--9q8h.ws',
    // Cyrillic that looks like apple.com.
    'xn--80ak6aa92e.com',
    // Latin letters before an ending of another script.
    'lap.xn--p1ai',
  ];
  assert.deepEqual(namesWithImage(named(...latin, ...other)), latin);
});

test('names that are sold, and more than a thousand, have no share image of their own', () => {
  assert.deepEqual(namesWithImage([{ name: 'lap.app', state: 'sold' } as DomainEntry]), []);
  const many = named(...Array.from({ length: MAX_NAMES }, (_, n) => `n${n}.app`));
  assert.equal(namesWithImage(many).length, MAX_NAMES);
  assert.equal(namesWithImage([...many, ...named('lap.app')]).length, 0);
});
