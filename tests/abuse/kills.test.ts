/** The product or its thread ended during the first boot. Under load: messages.test.ts. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startAbused } from './abused-product.ts';
import { assertStoredOnce } from './assert-stored-once.ts';
import { killPart } from './kill-part.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { startProcess, waitForExit } from './start-process.ts';
import { startVisitors } from './visitors.ts';

describe('the end of the process or of its thread', () => {
  test('a first boot that is killed at any moment does not prevent the next start', {
    // A first boot may take a minute.
    timeout: runsOf(1_800_000, 180_000),
  }, async () => {
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
      const visitors = startVisitors(product, 1);
      await visitors.waitForAcknowledged(1);
      await visitors.finish();
      await assertStoredOnce(product, visitors.acknowledged);
      assert.equal(await product.stop(), 0);
      rmSync(dataDir, { recursive: true });
    }
  });
});
