import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import workerThreads from 'node:worker_threads';
import { readSettings } from '../../config/settings.ts';
import { catalogueProblem } from './catalogue-problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'catalogue-problem-'));
after(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'catalogue.yaml');
process.env.CATALOGUE = file;
const GOOD =
  'settings:\n  brokerUrl: https://broker.example/{domain}\ndomains:\n  - name: lap.app\n    price: "5"\n    description: A name.\n    hasBroker: true\n';

test('an edited catalogue is checked without blocking the pages', async () => {
  const settings = readSettings();
  const settled = async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const problem = await catalogueProblem(settings);
    clearImmediate(next);
    assert.ok(turns > 0, 'the thread of the pages was busy all the time');
    return problem;
  };
  writeFileSync(
    file,
    'settings:\n  brokerUrl: https://broker.example/{domain}\ndomains:\n  - name: lap.app\n    price: 5\n    description: A name.\n    hasBroker: true\n',
  );
  assert.match((await settled()) ?? '', /catalogue\.yaml:5.*lap\.app.*price/);
  writeFileSync(file, GOOD);
  assert.equal(await settled(), undefined);
});

test('a branding that cannot be read, and a check that ends early, are problems', async (context) => {
  writeFileSync(file, GOOD);
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  process.env.OWN_DIR = loop;
  context.after(() => delete process.env.OWN_DIR);
  const settings = readSettings();
  assert.match((await catalogueProblem(settings)) ?? '', /loop {2}is a link that leads back to itself/);
  const { Worker } = workerThreads;
  context.after(() => {
    workerThreads.Worker = Worker;
    syncBuiltinESMExports();
  });
  // Such as one without memory.
  workerThreads.Worker = class extends EventEmitter {
    constructor() {
      super();
      setImmediate(() => this.emit('error', new Error('out of memory')));
    }
  } as unknown as typeof Worker;
  syncBuiltinESMExports();
  assert.equal(await catalogueProblem(settings), 'The catalogue could not be checked: out of memory');
});
