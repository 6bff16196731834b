import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { createHealth } from '../http/health.ts';
import { cachedByFile, watchCatalogue } from './watch-catalogue.ts';

const folder = mkdtempSync(join(tmpdir(), 'watch-'));
after(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'catalogue.yaml');
process.env.CATALOGUE = file;
beforeEach(() => writeFileSync(file, 'domains:\n'));

test('no edit is missed: before the watching, while it lasts, and by a file that takes the place', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  let edits = 0;
  const interval = () => {
    context.mock.timers.tick(500);
    return edits;
  };
  const end = watchCatalogue(() => {
    edits += 1;
    // An edit during the build that the one before has started.
    if (edits === 2) appendFileSync(file, '# later\n');
  });
  assert.equal(edits, 1, 'as if the file was edited after the last build and before the watching');
  assert.equal(interval(), 1);
  appendFileSync(file, '# edited\n');
  assert.equal(interval(), 2);
  assert.equal(interval(), 3);
  assert.equal(interval(), 3);
  renameSync(file, `${file}.away`);
  assert.equal(interval(), 4);
  writeFileSync(`${file}.new`, 'domains: []\n');
  renameSync(`${file}.new`, file);
  assert.equal(interval(), 5);
  end();
  appendFileSync(file, '# after its end\n');
  assert.equal(interval(), 5);
});

test('files and folders that cannot be read are edits, and end nothing', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => delete process.env.OWN_DIR);
  process.env.OWN_DIR = folder;
  let edits = 0;
  const interval = () => {
    context.mock.timers.tick(500);
    return edits;
  };
  watchCatalogue(() => {
    edits += 1;
  });
  assert.equal(interval(), 1);
  const logo = join(folder, 'logo.svg');
  symlinkSync('logo.svg', logo);
  assert.equal(interval(), 2);
  assert.equal(interval(), 2);
  rmSync(logo);
  assert.equal(interval(), 3);
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  process.env.OWN_DIR = loop;
  assert.equal(interval(), 4);
  assert.equal(interval(), 4);
  // A file's times have the kernel's ticks, of some milliseconds.
  const { ctimeMs } = statSync(file);
  while (statSync(file).ctimeMs === ctimeMs) chmodSync(file, 0o600);
  assert.equal(interval(), 5, 'corrected rights');
});

test('health reads a wrong catalogue once per edit, however often it is requested', async (context) => {
  context.mock.timers.enable({ apis: ['Date'] });
  let reads = 0;
  const health = createHealth(
    { problem: () => undefined, build: () => undefined },
    undefined,
    cachedByFile(async () => {
      reads += 1;
      return `problem ${reads}`;
    }),
  );
  const reasonLater = async () => {
    // The report itself is cached for a second.
    context.mock.timers.tick(1_001);
    return (await health()).reasons.catalogue;
  };
  for (let time = 0; time < 3; time += 1) assert.equal(await reasonLater(), 'problem 1');
  appendFileSync(file, '# edited\n');
  for (let time = 0; time < 3; time += 1) assert.equal(await reasonLater(), 'problem 2');
});
