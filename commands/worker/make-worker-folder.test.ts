import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteOnLimits } from './make-worker-folder.ts';

const files = (count: number, bytes = 1) =>
  Array.from({ length: count }, (_, n) => ({ name: `${n}.html`, bytes }));

test('a site beyond Cloudflare’s limits is rejected, and one beyond the free plan is noted', () => {
  assert.equal(noteOnLimits(files(20_000)), undefined);
  assert.match(noteOnLimits(files(20_001)) ?? '', /^The site has 20001 files: .* paid plan/);
  assert.throws(() => noteOnLimits(files(100_001)), /may have 100000/);
  assert.throws(
    () => noteOnLimits(files(1, 25 * 1024 * 1024 + 1)),
    /^UserError: 0\.html has more than 25 MiB/,
  );
});
