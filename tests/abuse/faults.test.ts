/** Faults of the machine besides kills: no offer is lost, and the error message contains the fix. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { breakThread } from '../support/break-thread.ts';
import { jsonOf, sendRequest } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { newFolder, runTool, untilNobodyListens, waitUntil } from '../support/terminal.ts';
import { type AbusedProduct, functionCall, startAbused } from './abused-product.ts';
import { assertStoredOnce } from './assert-stored-once.ts';
import { dataKeys } from './data-keys.ts';
import { killPart } from './kill-part.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { runsOf, SHORT } from './short-form.ts';
import { limitWrites, mountSmallDisk } from './small-disk.ts';
import { failedStart } from './start-process.ts';

/** Starts of a product are waited for, and each report and recovery, for a minute at most. */
const TIMEOUT = { timeout: runsOf(1_800_000, 240_000) };

/** One offer after the other, by the customers' names, and what became of each. */
function offersTo(dataDir: string) {
  const makeProof = proofMaker(dataKeys(dataDir).secretKey);
  const acknowledged = new Map<string, string>();
  const make = async (name: string) => ({
    domain_name: 'lap.app',
    offer_amount: 'x'.repeat(500),
    customer_name: name,
    customer_email: 'visitor@example.com',
    turnstile_token: encodeProof(await makeProof()),
  });
  const hand = async (port: number, offer: { customer_name: string }) => {
    const response = await sendRequest(port, functionCall('order-submit', offer));
    if (response.status === 200 || response.status === 201) {
      const id = String(jsonOf(response).id);
      if (!acknowledged.has(offer.customer_name)) count('acknowledged');
      acknowledged.set(offer.customer_name, id);
    }
    return response.status;
  };
  return { acknowledged, make, hand };
}

describe('faults', () => {
  describe('of a running product', () => {
    const dataDir = newDataFolder();
    let product: AbusedProduct;
    let offers: ReturnType<typeof offersTo>;
    before(async () => {
      product = await startAbused({ dataDir });
      offers = offersTo(dataDir);
    });
    after(async () => {
      await product.stop();
      rmSync(dataDir, { recursive: true });
    });

    test(
      'a second process on the same data folder fails with an error, and the first keeps running',
      TIMEOUT,
      async () => {
        // A POSIX lock ends when any code of its process closes the file.
        assert.equal((await product.request({ path: '/health' })).status, 200);
        await killPart(product.process, 'thread');
        const offer = await offers.make('before the second');
        await waitUntil(async () => (await offers.hand(product.port, offer)) <= 201);
        const backup = join(newFolder(), 'offers.backup');
        assert.equal(runTool('commands/backup.ts', [backup], { DATA_DIR: dataDir }).code, 0);
        const second = failedStart({ DATA_DIR: dataDir });
        const meanwhile = offers.hand(product.port, await offers.make('meanwhile'));
        const { code, output } = await second;
        count('otherFaults');
        assert.equal(code, 1);
        assert.match(output, /The data folder \S+ is in use by another process\. Stop that one first/);
        assert.doesNotMatch(output, /\n\s+at /, 'no stack');
        assert.equal(await meanwhile, 201);
        await assertStoredOnce(product, offers.acknowledged);
      },
    );

    test('a port in use is reported, and the running product is not affected', TIMEOUT, async () => {
      const { code, output } = await failedStart({ DATA_DIR: dataDir, PORT: String(product.port) });
      count('otherFaults');
      assert.equal(code, 1);
      assert.match(output, new RegExp(`Port ${product.port} is taken by another program\\.`));
      assert.equal(await offers.hand(product.port, await offers.make('after the second')), 201);
    });

    test('an offer repeated after a lost response is the same offer', async () => {
      const offer = await offers.make('a lost response');
      const { headers, body, path } = functionCall('order-submit', offer);
      const head = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(String(body))) });
      const socket = connect(product.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      );
      // The connection is reset when the first byte of the response arrives.
      await new Promise((resolve) => socket.once('data', resolve));
      socket.resetAndDestroy();
      count('otherFaults');
      assert.equal(await offers.hand(product.port, offer), 200, 'a repeat');
      await assertStoredOnce(product, offers.acknowledged);
    });

    test('a busy thread delays offers and loses none', async () => {
      const offer = await offers.make('during the standstill');
      assert.ok(await breakThread(product.process, 700));
      count('otherFaults');
      assert.equal(await offers.hand(product.port, offer), 201);
      assert.equal(await offers.hand(product.port, offer), 200, 'a repeat');
      await assertStoredOnce(product, offers.acknowledged);
    });

    test('a stop signal lets requests in flight finish', TIMEOUT, async () => {
      const offer = await offers.make('in flight');
      const body = JSON.stringify(offer);
      const socket = connect(product.port, '127.0.0.1');
      let output = '';
      socket.on('data', (chunk) => {
        output += chunk.toString();
      });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const head = `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\napikey: ${PUBLIC_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nexpect: 100-continue\r\n\r\n`;
      socket.write(head);
      // The 100 response shows that the request has arrived.
      await new Promise((resolve) => socket.once('data', resolve));
      await new Promise((resolve) => socket.write(body.slice(0, 50), resolve));
      product.process.kill('SIGTERM');
      count('otherFaults');
      await untilNobodyListens(product.port);
      socket.write(body.slice(50));
      await closed;
      assert.match(output, /^HTTP\/1\.1 201 /m);
      const id = /"id":"([^"]+)"/.exec(output)?.[1] ?? '';
      offers.acknowledged.set('in flight', id);
      count('acknowledged');
      assert.equal(await product.stop(), 0);

      product = await startAbused({ dataDir });
      await assertStoredOnce(product, offers.acknowledged);
    });

    test('files left by a killed process do not prevent the next start', TIMEOUT, async () => {
      await offers.hand(product.port, await offers.make('before the kill'));
      await killPart(product.process, 'product');
      await product.stop();
      writeFileSync(join(dataDir, 'lock-journal'), '');
      writeFileSync(join(dataDir, 'secrets.json.1.draft'), '{"jwt');
      writeFileSync(join(dataDir, 'commands.draft'), '');
      mkdirSync(join(dataDir, 'building-0badcafe/base'), { recursive: true });
      count('otherFaults');

      product = await startAbused({ dataDir });
      await offers.hand(product.port, await offers.make('after the kill'));
      await assertStoredOnce(product, offers.acknowledged);
    });
  });

  test('a data folder that is not writable is reported', TIMEOUT, async (context) => {
    const disk = mountSmallDisk(10);
    const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'read-only-'));
    if (disk) disk.remount('ro');
    else if (process.getuid?.() === 0) return context.skip('root may write anywhere, and may not mount here');
    else rmSync(folder, { recursive: true });
    if (!disk) mkdirSync(folder, { mode: 0o500 });
    const { code, output } = await failedStart({ DATA_DIR: disk ? folder : join(folder, 'data') });
    count('otherFaults');
    disk?.remove();
    assert.equal(code, 1);
    assert.match(output, /The data folder \S+ cannot be (?:written|locked)/);
    assert.doesNotMatch(output, /\n\s+at /, 'no stack');
  });

  test(
    'a full or read-only disk loses no acknowledged offer, is reported while pages are served, and needs no restart',
    TIMEOUT,
    async (context) => {
      const disk = mountSmallDisk(120);
      const dataDir = newDataFolder(disk?.folder);
      let product = await startAbused({ dataDir });
      const offers = offersTo(dataDir);
      assert.equal(await offers.hand(product.port, await offers.make('with room')), 201);

      if (disk) disk.fill();
      else limitWrites(product.process.pid ?? 0, 8192);
      count('otherFaults');
      const output = new Set<number>();
      for (let number = 0; number < 60; number += 1) {
        output.add(await offers.hand(product.port, await offers.make(`without room ${number}`)));
      }
      assert.deepEqual(
        [...output].filter((status) => ![200, 201, 503].includes(status)),
        [],
      );
      assert.ok(output.has(503), 'the disk was full');
      if (disk) await assertReported('ENOSPC');

      if (disk) disk.empty();
      else limitWrites(product.process.pid ?? 0);
      await assertRecovers('with room again');

      if (disk) {
        const offer = await offers.make('read-only');
        // The kernel lets no disk become read-only while a file on it is open for writing: between two threads none is.
        const deadline = Date.now() + 60_000;
        do {
          assert.ok(Date.now() < deadline, 'the disk could not be made read-only');
          await breakThread(product.process, 'terminate');
          await new Promise((resolve) => setTimeout(resolve, 10));
        } while (!disk.remount('ro'));
        count('otherFaults');
        await assertReported('EROFS');
        assert.equal(await offers.hand(product.port, offer), 503);
        disk.remount('rw');
        await assertRecovers('writable again', offer);
      } else context.diagnostic('no disk was made read-only: this user may not mount');

      await assertStoredOnce(product, offers.acknowledged);
      await product.stop();
      if (!SHORT) {
        product = await startAbused({ dataDir });
        await assertStoredOnce(product, offers.acknowledged);
        await product.stop();
      }
      if (disk) disk.remove();
      else rmSync(dataDir, { recursive: true });

      async function assertReported(code: string): Promise<void> {
        assert.equal((await fetch(`http://localhost:${product.port}/`)).status, 200);
        const expected = new RegExp(`^503 The data folder cannot be written \\(${code}\\)`);
        // A report is cached for a second.
        const deadline = Date.now() + 60_000;
        for (let health = ''; !expected.test(health); ) {
          assert.ok(Date.now() < deadline, health);
          const response = await fetch(`http://localhost:${product.port}/health`);
          const { reasons } = (await response.json()) as { reasons: { database?: string } };
          health = `${response.status} ${reasons.database}`;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }

      async function assertRecovers(
        name: string,
        given?: Awaited<ReturnType<typeof offers.make>>,
      ): Promise<void> {
        const offer = given ?? (await offers.make(name));
        const deadline = Date.now() + 60_000;
        const isUp = async () => (await fetch(`http://localhost:${product.port}/health`)).status === 200;
        while ((await offers.hand(product.port, offer)) > 201 || !(await isUp())) {
          assert.ok(Date.now() < deadline, `no offer is taken: ${name}`);
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    },
  );

  test('a first boot on a full disk is reported and succeeds with free space', {
    skip: SHORT,
  }, async (context) => {
    const disk = mountSmallDisk(12);
    if (!disk) return context.skip('this user may not mount a small disk');
    const dataDir = join(disk.folder, 'data');
    const { code, output } = await failedStart({ DATA_DIR: dataDir });
    count('otherFaults');
    assert.equal(code, 1, output);
    assert.match(
      output,
      /^The database could not be made in \S+: ENOSPC, no space left on device\. It takes about 50 MB/m,
    );
    disk.resize(150);
    const product = await startAbused({ dataDir });
    const offers = offersTo(dataDir);
    assert.equal(await offers.hand(product.port, await offers.make('after all')), 201);
    await assertStoredOnce(product, offers.acknowledged);
    await product.stop();
    disk.remove();
  });
});
