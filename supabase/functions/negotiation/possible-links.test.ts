import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkResults } from '../_shared/call-database.ts';
import { createPossibleLinks } from './possible-links.ts';

test('a link that another process made is known when the list is 5 s old', async () => {
  let now = 1_000_000;
  const hashes = ['11111111'];
  const links = createPossibleLinks(
    checkResults(async () => [...hashes]),
    () => now,
  );
  assert.equal(await links.has('11111111ff'), true);
  hashes.push('22222222');
  now += 4_999;
  assert.equal(await links.has('22222222ff'), false, 'not read at each call');
  now += 1;
  assert.equal(await links.has('22222222ff'), true);
});

test('guesses at once read the list once', async () => {
  let reads = 0;
  const links = createPossibleLinks(
    checkResults(async () => {
      reads += 1;
      return ['11111111'];
    }),
  );
  const found = await Promise.all(['11111111ff', '22222222ff', '33333333ff'].map(links.has));
  assert.deepEqual([found, reads], [[true, false, false], 1]);
});
