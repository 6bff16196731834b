import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf } from '../../tests/support/processes.ts';
import { type Backend, startBackend } from './backend.ts';
import { copyBooted } from './booted-database.fixture.ts';
import { takeDataFolder } from './data-folder.ts';
import { PUTS_OUT_OF_STEP } from './out-of-step.fixture.ts';

const PUBLISHABLE_KEY = 'sb_publishable_t';
/** In milliseconds; how long an outage lasts depends on the machine, and the abuse suite measures it. */
const GIVE_UP_AFTER = 60_000;

describe('the embedded backend', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backend-'));
  const logged: { source: string; event: string; reason?: string }[] = [];
  let backend: Backend;
  let secretKey: string;
  before(async () => {
    const { build, release } = await takeDataFolder(dataDir);
    await build(copyBooted);
    release();
    backend = await startBackend({
      dataDir,
      publishableKey: PUBLISHABLE_KEY,
      functionsEnv: { CLIENT_ADDRESS_HEADER: 'x-client-address' },
      onLog: (line) => logged.push(JSON.parse(line)),
      databaseProgram: join(import.meta.dirname, 'out-of-step.fixture.ts'),
    });
    ({ secretKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')));
  });
  after(async () => {
    await backend.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Counts a hit of a limit of one. True if it was free, null without a result. */
  async function isFirstHit(key: string): Promise<boolean | null> {
    const checks = [{ bucket: 'test', key, max: 1, window: 1_000_000_000 }];
    const response = await fetch(`${backend.databaseOrigin()}/rest/v1/rpc/begin_bot_check`, {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ token_hash: key, payload_hash: '', sender: [], checks }),
    });
    const result = (await response.json()) as { outcome?: string } | null;
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

  test('the database announces no end of an idle connection', async () => {
    const response = await fetch(`${backend.databaseOrigin()}/rest/v1/`);
    await response.arrayBuffer();
    assert.equal(response.headers.get('keep-alive'), null);
  });

  test('the backend returns the secret that signs access tokens, and logs it nowhere', () => {
    const { jwtSecret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
    assert.equal(backend.tokenSecret, jwtSecret);
    assert.equal(JSON.stringify(logged).includes(jwtSecret), false);
  });

  test('the backend is healthy, and accepts the gateway by its key', async () => {
    assert.deepEqual(await backend.health(), { database: true, functions: true, messages: true });
    const read = (key: string) =>
      fetch(`${backend.databaseOrigin()}/rest/v1/offers?select=id`, {
        headers: { apikey: PUBLISHABLE_KEY, 'x-gateway-key': key },
      });
    assert.equal((await read(backend.gatewayKey)).status, 401, 'lite’s rejection of an anonymous read');
    assert.equal((await read('wrong')).status, 404);
  });

  test('the backend returns right results again after its database was put out of step', async () => {
    assert.equal(await isFirstHit('before'), true);
    // Every statement returns nothing then, until a probe ends the process, which may happen during this request.
    assert.equal(await isFirstHit(PUTS_OUT_OF_STEP).catch(() => null), null);
    while (!logged.some(({ event }) => event === 'ended')) await pause(50);
    assert.ok(logged.some(({ event }) => event === 'database_out_of_step'));
    await worksAgain();
    assert.equal(await isFirstHit('before'), false, 'what was stored before is still there');
  });

  test('the backend restarts each process that stops responding', async () => {
    logged.length = 0;
    const children = childrenOf(process.pid);
    assert.equal(children.length, 2);
    for (const pid of children) process.kill(pid, 'SIGSTOP');
    let silent = await backend.health();
    while (silent.database === true || silent.functions === true) {
      await pause(50);
      silent = await backend.health();
    }
    assert.match(String(silent.database), /^The database process does not work/);
    assert.match(String(silent.functions), /^The functions process does not work/);
    await worksAgain();
    assert.deepEqual(
      logged
        .filter(({ event }) => event === 'killed')
        .map(({ source }) => source)
        .sort(),
      ['database', 'functions'],
    );
  });

  test('running.json names the administrator whose password the settings set', async () => {
    const running = () => JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8'));
    await backend.ensureAdministrator('owner@example.com', undefined);
    assert.equal(running().passwordSetFor, undefined);
    await backend.ensureAdministrator('owner@example.com', 'correct horse battery');
    assert.equal(running().passwordSetFor, 'owner@example.com');
    assert.match(running().origin, /^http:/);
  });
});
