/** `kill -9` of every part under load, and during the first boot: what was acknowledged is there, once. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { freePort } from '../support/free-port.ts';
import { childrenOf, killHard, type Part } from '../support/processes.ts';
import { type AbusedProduct, startAbused } from './abused-product.ts';
import { assertStoredOnce } from './assert-stored-once.ts';
import { killParts } from './kill-parts.ts';
import { count } from './report.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { startProcess, waitForExit } from './start-process.ts';
import { startVisitors } from './visitors.ts';

/** What is killed, in turns; several at once as by a machine that runs out of memory. */
const VICTIMS: Part[][] = [
  ['database'],
  ['functions'],
  ['gateway'],
  ['database', 'functions'],
  ['database'],
  ['gateway', 'database', 'functions'],
];

describe('kill -9', { skip: process.platform !== 'linux' && 'processes are looked up in /proc' }, () => {
  test('kill -9 under load loses and duplicates no acknowledged offer', async () => {
    const dataDir = newDataFolder();
    const env = { PORT: String(await freePort()) };
    const random = seededRandom('kills under load');
    let product = await startAbused({ dataDir, env });
    const visitors = startVisitors(product.port, 3);

    for (let round = 0, killed = 0; killed < runsOf(54, 8); round += 1) {
      const victims = VICTIMS[round % VICTIMS.length] ?? [];
      await visitors.waitForRequest();
      await pause(random() * 15);
      killed += killParts(product, victims);
      if (victims.includes('gateway')) product = await restarted(product, dataDir, env);
      await visitors.waitForAcknowledged(2);
    }

    await visitors.finish();
    await assertStoredOnce(product, visitors.acknowledged);
    assert.equal(await product.stop(), 0);
    rmSync(dataDir, { recursive: true });
  });

  test('a first boot that is killed at any moment does not prevent the next start', async () => {
    const random = seededRandom('kills during the first boot');
    for (let boot = 0; boot < runsOf(12, 1); boot += 1) {
      const dataDir = mkdtempSync(join(tmpdir(), 'abused-'));
      const starting = startProcess({ DATA_DIR: dataDir });
      await pause(200 + random() * 4_000);
      const children = childrenOf(starting.pid ?? 0);
      // At times the database alone, at times the whole tree.
      const victims = boot % 3 === 2 ? children : [...children, starting.pid ?? 0];
      for (const pid of victims) killHard(pid);
      count('kills', victims.length);
      if (boot % 3 === 2) starting.kill('SIGTERM');
      await waitForExit(starting);

      const product = await startAbused({ dataDir });
      const visitors = startVisitors(product.port, 1);
      await visitors.waitForAcknowledged(1);
      await visitors.finish();
      await assertStoredOnce(product, visitors.acknowledged);
      assert.equal(await product.stop(), 0);
      rmSync(dataDir, { recursive: true });
    }
  });
});

async function restarted(
  killed: AbusedProduct,
  dataDir: string,
  env: Record<string, string>,
): Promise<AbusedProduct> {
  await waitForExit(killed.process);
  // Its log is searched as any other.
  await killed.stop();
  return await startAbused({ dataDir, env });
}
