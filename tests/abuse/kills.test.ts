/** The product or its thread ended under load, and during the first boot: what was acknowledged is there, once. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { freePort } from '../support/free-port.ts';
import { type AbusedProduct, startAbused } from './abused-product.ts';
import { assertStoredOnce } from './assert-stored-once.ts';
import { killPart, type Part } from './kill-part.ts';
import { startOwner } from './owner.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { startProcess, waitForExit } from './start-process.ts';
import { startVisitors } from './visitors.ts';

/** What is ended, in turns. */
const VICTIMS: Part[] = ['thread', 'product', 'product'];

describe('the end of the process or of its thread', () => {
  test('the end of the process or of its thread under load loses and duplicates no acknowledged offer, and no session', async () => {
    const dataDir = newDataFolder();
    const env = { PORT: String(await freePort()) };
    const random = seededRandom('kills under load');
    let product = await startAbused({ dataDir, env });
    const visitors = startVisitors(product.port, 3);
    const owner = startOwner(product.port);

    for (let round = 0; round < runsOf(156, 6); round += 1) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'product';
      await visitors.waitForRequest();
      await pause(random() * 15);
      await killPart(product.process, victim);
      if (victim === 'product') product = await restarted(product, dataDir, env);
      await visitors.waitForAcknowledged(2);
    }

    await Promise.all([visitors.finish(), owner.finish()]);
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
      // At times the thread alone, which ends the process too while it is not up.
      await killPart(starting, boot % 3 === 2 ? 'thread' : 'product');
      starting.kill('SIGTERM');
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
