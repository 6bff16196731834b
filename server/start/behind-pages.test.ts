import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import workerThreads from 'node:worker_threads';
import type { Publication } from '#contract/publication.ts';
import { readSettings } from '../../config/settings.ts';
import { messagesOf } from '../../src/i18n/languages.ts';
import { OlderBuildError } from '../catalogue-publication/publish-served.ts';
import type { Backend } from '../embedded/backend.ts';
import type { ThreadData, ToThread } from '../embedded/thread-messages.ts';
import { REQUEST_HOST_HEADER as HOST_HEADER } from '../http/check-backend-request.ts';
import { CLIENT_IP_HEADER } from '../http/client-ip.ts';
import type { StaticPages } from '../pages/static-pages.ts';
import { projectOfNumbers, publisherFor, serveBuilds, startEmbeddedBackend } from './behind-pages.ts';

const HOSTED = { SUPABASE_URL: 'https://a.supabase.example', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a' };
const BUILT = '2026-01-02T00:00:00.000Z';
const publicationOf = (build: string) => ({
  ...{ entries: [], hosts: [], language: 'en', build, settings: {} },
  ...{ builtAt: BUILT, readAt: '2026-01-01T00:00:00.000Z' },
});

test('the build that is served is kept, and no other; only the first one was read at the start', async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'behind-pages-')));
  t.after(() => rmSync(folder, { recursive: true }));
  const [builds, dist] = [join(folder, '.builds'), join(folder, 'dist')];
  const goLive = (name: string) => {
    mkdirSync(join(builds, name), { recursive: true });
    writeFileSync(join(builds, name, 'publication.json'), JSON.stringify(publicationOf(name)));
    rmSync(dist, { force: true });
    symlinkSync(join(builds, name), dist);
  };
  const kept = () => readdirSync(builds).filter((name) => name.endsWith(`.${process.pid}`));
  goLive('1-1');
  const published: unknown[] = [];
  const switched: string[] = [];
  const pages = {
    folder: () => join(builds, '1-1'),
    load: (build: string) => () => void switched.push(build),
  } as unknown as StaticPages;
  const publish = async ({ build, readAt }: Publication, keepPrevious: boolean) =>
    void published.push([build, readAt, keepPrevious]);
  const startedAt = '2026-01-03T00:00:00.000Z';
  const follower = await serveBuilds(pages, publish, dist, console, new Date(startedAt));
  assert.deepEqual(published.splice(0), [['1-1', startedAt, false]]);
  assert.equal(follower.readAt(), Date.parse(startedAt));
  for (const name of ['2-1', '3-1']) {
    goLive(name);
    await follower.check();
    assert.deepEqual(kept(), [`${name}.${process.pid}`]);
    const { readAt } = publicationOf(name);
    assert.deepEqual(published.splice(0), [
      [name, readAt, true],
      [name, readAt, false],
    ]);
    assert.equal(follower.readAt(), Date.parse(readAt));
  }
  assert.deepEqual(switched, [join(builds, '2-1'), join(builds, '3-1')]);
  // Between two builds there is none for a moment.
  rmSync(dist);
  await follower.check();
  assert.equal(follower.problem(), undefined);
  follower.stop();
  assert.deepEqual(kept(), []);
});

test('a catalogue that could not be published at the start is published by the next look, unless it is older', async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'behind-pages-')));
  t.after(() => rmSync(folder, { recursive: true }));
  const [build, dist] = [join(folder, '.builds/1-1'), join(folder, 'dist')];
  mkdirSync(build, { recursive: true });
  writeFileSync(join(build, 'publication.json'), JSON.stringify(publicationOf('one')));
  symlinkSync(build, dist);
  const pages = { folder: () => build, load: () => () => {} } as unknown as StaticPages;
  const silent = { ...console, error: () => {} } as Console;
  const startedAt = '2026-01-03T00:00:00.000Z';
  const publishedAfter = async (error: Error) => {
    const published: unknown[] = [];
    let isFirst = true;
    const publish = async ({ readAt }: Publication) => {
      if (isFirst) {
        isFirst = false;
        throw error;
      }
      published.push(readAt);
    };
    const follower = await serveBuilds(pages, publish, dist, silent, new Date(startedAt));
    assert.deepEqual(published, []);
    await follower.check();
    follower.stop();
    return published;
  };
  assert.deepEqual(await publishedAfter(new Error('no response')), [startedAt, startedAt]);
  assert.deepEqual(await publishedAfter(new OlderBuildError('older')), []);
});

for (const [env, loopbackOnly] of [
  [{}, '1'],
  [{ HOST: '0.0.0.0' }, '0'],
  [{ TRUSTED_PROXIES: '1' }, '0'],
] as const) {
  test(`with ${JSON.stringify(env)} the functions get LOOPBACK_ONLY ${loopbackOnly}, and passwords the words of the site`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'behind-pages-'));
    const { Worker } = workerThreads;
    t.after(() => {
      rmSync(dataDir, { recursive: true });
      workerThreads.Worker = Worker;
      syncBuiltinESMExports();
    });
    workerThreads.Worker = ReadyThread as unknown as typeof Worker;
    syncBuiltinESMExports();
    const settings = readSettings({ DATA_DIR: dataDir, PORT: '4567', ...env });
    const silent = { ...console, log: () => {} } as Console;
    const backend = await startEmbeddedBackend(settings, () => ['lap.app'], silent);
    await backend?.ensureAdministrator(OWNER.email, 'your next domain awaits');
    await backend?.stop();
    // Too easy to guess for a password.
    for (const word of ['lap.app', messagesOf('en').page.header, messagesOf('de').page.header])
      assert.ok(ReadyThread.siteWords.includes(word), word);
    const { LOOPBACK_ONLY, LOCAL_PORT, CLIENT_ADDRESS_HEADER, REQUEST_HOST_HEADER } = ReadyThread.settings;
    assert.deepEqual(
      { LOOPBACK_ONLY, LOCAL_PORT, CLIENT_ADDRESS_HEADER, REQUEST_HOST_HEADER },
      {
        ...{ LOOPBACK_ONLY: loopbackOnly, LOCAL_PORT: '4567' },
        ...{ CLIENT_ADDRESS_HEADER: CLIENT_IP_HEADER, REQUEST_HOST_HEADER: HOST_HEADER },
      },
    );
  });
}

const KEYS = { jwtSecret: 'x', secretKey: 'sb_secret_x', publishableKey: 'sb_publishable_x' };

const OWNER = { user_id: randomUUID(), email: 'owner@example.com', since: BUILT, has_factor: false };

/** In place of the project's thread: ready at once. */
class ReadyThread extends EventEmitter {
  static settings: Record<string, string> = {};
  static siteWords: string[] = [];
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();

  constructor(_program: string, { workerData }: { workerData: ThreadData }) {
    super();
    ReadyThread.settings = workerData.settings as Record<string, string>;
    setImmediate(() => this.emit('message', { type: 'ready', keys: KEYS }));
  }

  postMessage(message: ToThread): void {
    if (message === 'stop') return void this.emit('exit', 0);
    const { id, path } = message;
    const isJudging = path === '/control/judge-password';
    if (isJudging) ReadyThread.siteWords = JSON.parse(Buffer.from(message.body).toString()).siteWords;
    const body = Buffer.from(JSON.stringify(isJudging ? { isPresent: true } : [OWNER]));
    const headers = [['content-type', 'application/json']];
    setImmediate(() => this.emit('message', { type: 'response', id, status: 200, headers, body }));
  }
}

test('the embedded database takes the catalogue of an older build, and numbers', async () => {
  const calls: [name: string, args: Record<string, unknown>][] = [];
  const project = {
    call: async (name: string, args: Record<string, unknown>) => {
      calls.push([name, args]);
      return [];
    },
  };
  const backend = { project } as unknown as Backend;
  await publisherFor(readSettings({}), backend)?.(publicationOf('one'), true);
  assert.deepEqual(
    calls.map(([name, { build, built_at, keep_previous }]) => [name, build, built_at, keep_previous]),
    [['publish_listings', 'one', new Date(0).toISOString(), true]],
  );
  assert.equal(projectOfNumbers(readSettings({}), backend), backend.project);
});

test('a hosted project gets the catalogue and numbers from here with its secret key alone', () => {
  const [without, own] = [
    readSettings(HOSTED),
    readSettings({ ...HOSTED, SUPABASE_SECRET_KEY: 'sb_secret_a' }),
  ];
  for (const open of [publisherFor, projectOfNumbers]) {
    assert.equal(open(without, undefined), undefined);
    assert.ok(open(own, undefined));
    assert.equal(open(readSettings({}), undefined), undefined);
  }
});
