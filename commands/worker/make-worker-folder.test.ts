import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachedHosts, noteOnLimits } from './make-worker-folder.ts';

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

test('each host is attached once, and no www. of a name that begins with it', () => {
  const names = new Set(['lap.app', 'www.site.example']);
  const hosts = ['names.example', 'names.localhost'];
  assert.deepEqual(attachedHosts({ names, hosts, adminHost: 'names.example' }), [
    ...['lap.app', 'www.lap.app', 'www.site.example', 'names.example'],
  ]);
});
