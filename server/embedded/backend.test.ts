import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { takeLock } from '../../process/lock-file.ts';
import { type Backend, startBackend } from './backend.ts';
import { copyBooted } from './booted-database.fixture.ts';
import { findRunning, notePasswordSetFor, withDatabase } from './call-control.ts';
import { takeDataFolder } from './data-folder.ts';
import { PUTS_OUT_OF_STEP } from './out-of-step.fixture.ts';
import { projectOf } from './with-project.ts';

/** In milliseconds; how long an outage lasts depends on the machine, and the abuse suite measures it. */
const GIVE_UP_AFTER = 60_000;

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

describe('the embedded backend', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backend-'));
  const logged: { source: string; event: string; reason?: string }[] = [];
  let backend: Backend;
  before(async () => {
    const { build, release } = await takeDataFolder(dataDir);
    await build(copyBooted);
    release();
    // Of a product that was killed.
    notePasswordSetFor(dataDir, 'former@example.com');
    backend = await startBackend({
      dataDir,
      settings: { CLIENT_ADDRESS_HEADER: 'x-client-address' },
      onLog: (line) => logged.push(JSON.parse(line)),
      program: join(import.meta.dirname, 'out-of-step.fixture.ts'),
    });
  });
  after(async () => {
    await backend.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Counts a hit of a limit of one. True if it was free, null without a result. */
  async function isFirstHit(key: string): Promise<boolean | null> {
    const checks = [{ bucket: 'test', key, max: 1, window: 1_000_000_000 }];
    const args = { token_hash: key, payload_hash: '', sender: [], checks };
    const result = (await backend.project.call('begin_bot_check', args)) as { outcome?: string } | null;
    return result && result.outcome === 'new';
  }

  async function worksAgain(): Promise<void> {
    const begin = performance.now();
    const isHealthy = async () => {
      const health = await backend.health();
      return health.database === true && health.functions === true;
    };
    while (!(await isHealthy())) {
      assert.ok(performance.now() - begin < GIVE_UP_AFTER, JSON.stringify([await backend.health(), logged]));
      await pause(50);
    }
    assert.equal(await isFirstHit(`${performance.now()}`), true);
  }

  test('the backend returns the secret that signs access tokens, and logs it nowhere', () => {
    const { jwtSecret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
    assert.equal(backend.tokenSecret, jwtSecret);
    assert.equal(JSON.stringify(logged).includes(jwtSecret), false);
  });

  test('the backend is healthy, and serves the functions and the data API', async () => {
    assert.deepEqual(await backend.health(), { database: true, functions: true, messages: true });
    const get = async (path: string) => {
      const headers = { apikey: 'sb_publishable_embedded' };
      return await backend.send({ method: 'GET', path, headers, body: new Uint8Array() });
    };
    assert.equal((await get('/rest/v1/offers?select=id')).status, 401);
    assert.equal((await get('/functions/v1/bot-check?show=provider')).status, 200);
  });

  test('commands learn whose password the settings of the running product set', async () => {
    await backend.ensureAdministrator(OWNER.email, undefined);
    assert.equal((await findRunning(dataDir))?.passwordSetFor, undefined);
    await backend.ensureAdministrator(OWNER.email, OWNER.password);
    assert.equal((await findRunning(dataDir))?.passwordSetFor, OWNER.email);
  });

  test('when the thread ends, what is in flight fails at once, and no one else gets the data folder', async () => {
    await backend.ensureAdministrator(OWNER.email, OWNER.password);
    await backend.health();
    assert.equal(await takeLock(join(dataDir, 'lock'), 0), undefined);
    const hanging = backend.project.call('begin_bot_check', {
      token_hash: 'x',
      payload_hash: '',
      sender: [],
      checks: [],
    });
    const failed = assert.rejects(hanging, /ThreadDown|no response/);
    await backend.terminate();
    await failed;
    await worksAgain();
    assert.equal(await takeLock(join(dataDir, 'lock'), 0), undefined);
    assert.equal((await findRunning(dataDir))?.passwordSetFor, OWNER.email);
    // The socket leads to the thread that runs now.
    assert.deepEqual(
      await withDatabase(dataDir, (control) => projectOf(control).call('count_offers', {})),
      0,
    );
  });

  test('the backend returns right results again after its database was put out of step', async () => {
    logged.length = 0;
    assert.equal(await isFirstHit('before'), true);
    // Every statement returns nothing then, until a probe ends the thread, which may happen during this request.
    assert.equal(await isFirstHit(PUTS_OUT_OF_STEP).catch(() => null), null);
    while (!logged.some(({ event }) => event === 'ended')) await pause(50);
    assert.ok(logged.some(({ event }) => event === 'database_out_of_step'));
    await worksAgain();
    assert.equal(await isFirstHit('before'), false, 'what was stored before is still there');
  });
});
