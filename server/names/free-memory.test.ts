import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { totalmem } from 'node:os';
import { test } from 'node:test';
import { freeMemory, memoryOfBuild } from './free-memory.ts';

const MB = 2 ** 20;

test('a build of 10,000 names needs 1 GB', () => {
  assert.ok(memoryOfBuild(4) < 400 * MB);
  assert.ok(Math.abs(memoryOfBuild(10_000) - 1_024 * MB) < 100 * MB, `${memoryOfBuild(10_000) / MB} MB`);
});

test('with the limit of a service the cache of its files counts as free, and without one it is counted already', (context) => {
  const files: Record<string, string> = {
    '/proc/self/cgroup': '1:net_cls:/\n0::/system.slice/shop.service\n',
    '/sys/fs/cgroup/system.slice/shop.service/memory.stat': `active_file 7\ninactive_file ${50 * MB}\nfile 9\n`,
  };
  const read = context.mock.method(fs, 'readFileSync', (file: string) => files[file]);
  syncBuiltinESMExports();
  context.after(() => {
    read.mock.restore();
    syncBuiltinESMExports();
  });
  context.mock.method(process, 'availableMemory', () => 100 * MB);
  const constrained = context.mock.method(process, 'constrainedMemory', () => 0);
  assert.equal(freeMemory(), 100 * MB);
  // What some systems return without a limit.
  constrained.mock.mockImplementation(() => 2 ** 63);
  assert.equal(freeMemory(), 100 * MB);
  constrained.mock.mockImplementation(() => totalmem() / 2);
  assert.equal(freeMemory(), 150 * MB);
  read.mock.mockImplementation(() => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  });
  assert.equal(freeMemory(), 100 * MB, 'another system');
});
