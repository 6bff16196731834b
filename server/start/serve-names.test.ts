/** Stored changes at a start, and the builds of a running product. */
import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import { publicationOf, writePublication } from '../../site-builder/built-site/publication.ts';
import { writeSiteFacts } from '../../site-builder/built-site/site-facts.ts';
import type { BuildFollower } from '../catalogue-publication/follow-builds.ts';
import type { Backend } from '../embedded/backend.ts';
import type { Builds } from '../names/builds.ts';
import { storedChanges } from '../names/stored-changes.fixture.ts';
import type { StaticPages } from '../pages/static-pages.ts';
import type { Names } from './serve-names.ts';

const CATALOGUE = `settings: { brokerUrl: "https://b.example/{domain}" }
domains: [{ name: lap.app, price: $1, description: One., hasBroker: true }]
`;

// The paths of builds are those of the folder in which their code is loaded.
const project = mkdtempSync(join(tmpdir(), 'serve-names-'));
process.chdir(project);
const { parseCatalogue } = await import('../../src/catalogue/load.ts');
const { buildHashOf } = await import('../../site-builder/build-hash.ts');
const { brokerWarning } = await import('./broker-warning.ts');
const { isUpToDate } = await import('./catalogue-problem.ts');
const { buildsOf, handleNamesOf, openNames } = await import('./serve-names.ts');
const { waitUntil } = await import('../../tests/support/terminal.ts');
after(() => {
  process.chdir('/');
  rmSync(project, { recursive: true });
});
for (const folder of ['own', 'public', '.astro']) mkdirSync(folder);
const FILE = 'own/catalogue.yaml';
writeFileSync(FILE, CATALOGUE);

/** A console, and what was printed as an error. */
function printing() {
  const errors: string[] = [];
  return { errors, console: { ...console, error: (text: string) => void errors.push(text) } as Console };
}

test('a start goes on without a change that cannot be written, and the next one writes it', async (t) => {
  t.after(() => writeFileSync(FILE, CATALOGUE));
  const database = storedChanges(join(project, 'database.json'));
  const batch = randomUUID();
  const changes = [{ name: 'lap.app', field: 'price', from: '$1', to: '$2' }];
  await database.call('change_names', { batch, changes });
  const start = async (call: unknown = database.call) => {
    const { errors, console } = printing();
    const backend = { project: { call } } as unknown as Backend;
    const { worker, written } = await openNames(backend, readSettings({}), console);
    await worker.stop();
    return { errors, written };
  };
  const reported = /^Changes of the catalogue in the dashboard are not written yet: .*\nThe next start/s;
  writeFileSync(FILE, 'domains: none\n');
  for (const call of [database.call, () => Promise.reject(new Error('no response'))]) {
    const { errors, written } = await start(call);
    assert.deepEqual([written, errors.length, database.ends()], [[], 1, ['open']]);
    assert.match(errors[0] ?? '', reported);
  }
  writeFileSync(FILE, CATALOGUE);
  assert.deepEqual(await start(), { errors: [], written: [batch] });
  assert.match(readFileSync(FILE, 'utf8'), /price: "\$2"/);
  assert.deepEqual(database.ends(), ['written']);
  const before = database.calls.length;
  assert.deepEqual(await start(), { errors: [], written: [] });
  assert.deepEqual(database.calls.slice(before), ['read_open_name_changes']);
});

test('what a start has written is built', () => {
  const requested: (string | undefined)[] = [];
  const builds = { request: (batch?: string) => void requested.push(batch) } as unknown as Builds;
  const names = { written: ['a', 'b'] } as unknown as Names;
  handleNamesOf({} as Backend, names, builds, {} as StaticPages, console);
  assert.deepEqual(requested, ['a', 'b']);
});

test('a catalogue with too many names for the memory is not built', async () => {
  const { signal } = new AbortController();
  const follower = { readAt: () => undefined } as unknown as BuildFollower;
  const builds = buildsOf(readSettings({}), follower, () => 1e9, signal, console);
  builds.request('a');
  await waitUntil(() => builds.state().status !== 'waiting');
  assert.equal(builds.state().status, 'no_memory');
  builds.stop();
});

for (const what of ['a stop', 'the end of the product'] as const)
  test(`${what} ends the build that runs`, async (context) => {
    const spawn = context.mock.method(childProcess, 'spawn');
    syncBuiltinESMExports();
    context.after(() => {
      spawn.mock.restore();
      syncBuiltinESMExports();
    });
    const follower = {} as unknown as BuildFollower;
    const product = new AbortController();
    const builds = buildsOf(readSettings({}), follower, () => 1, product.signal, printing().console);
    context.after(builds.stop);
    builds.request();
    await waitUntil(() => spawn.mock.callCount() === 1);
    const child = spawn.mock.calls[0]?.result as childProcess.ChildProcess;
    if (what === 'a stop') builds.stop();
    else product.abort();
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
  });

test('a start warns of the broker that the last build had, and of none where it may not read that', (context) => {
  context.after(() => rmSync('.astro/checked-catalogue.json'));
  assert.equal(brokerWarning(), undefined);
  writeFileSync('.astro/checked-catalogue.json', JSON.stringify(parseCatalogue('c.yaml', CATALOGUE)));
  assert.match(brokerWarning() ?? '', /^Warning: brokerUrl leads to b\.example, which is a placeholder/);
});

test('with a branding that cannot be read no build is up to date, and nothing is thrown', (context) => {
  context.after(() => {
    delete process.env.OWN_DIR;
    for (const name of ['dist', 'loop']) rmSync(name, { recursive: true });
  });
  const settings = readSettings({});
  mkdirSync('dist');
  for (const name of ['policies.json', 'site-facts.json', 'publication.json'])
    writeFileSync(join('dist', name), '{}');
  writeFileSync('dist/build-hash.txt', buildHashOf(settings));
  assert.equal(isUpToDate(settings), true);
  symlinkSync('loop', 'loop');
  process.env.OWN_DIR = 'loop';
  assert.equal(isUpToDate(settings), false);
});

test('an error of a build is printed once, and again after a good one', async () => {
  const settings = readSettings({ ADMIN_HOST: 'www.lap.app' });
  const { errors, console } = printing();
  let confirmed = 0;
  const follower = {
    check: async () => {},
    confirm: async () => {
      confirmed += 1;
    },
    readAt: () => undefined,
    problem: () => undefined,
  } as unknown as BuildFollower;
  const builds = buildsOf(settings, follower, () => 1, new AbortController().signal, console);
  const fail = async () => {
    builds.request('a');
    await waitUntil(() => ['waiting', 'building'].every((status) => status !== builds.state().status));
    assert.match(builds.state().problem ?? '', /^ADMIN_HOST is “www\.lap\.app”, which is for sale/);
  };
  await fail();
  await fail();
  assert.equal(errors.length, 1);
  assert.match(
    errors[0] ?? '',
    /^\nADMIN_HOST .+\nThe last good build is served until this is corrected\.\n$/s,
  );

  // As if the owner had taken back what was wrong.
  const catalogue = parseCatalogue('c.yaml', CATALOGUE);
  mkdirSync('dist');
  writeFileSync('dist/policies.json', '{}');
  writeSiteFacts('dist', catalogue);
  writePublication('dist', publicationOf(catalogue, 'other'));
  writeFileSync('dist/build-hash.txt', buildHashOf(settings));
  builds.request();
  await waitUntil(() => confirmed === 1);
  rmSync('dist', { recursive: true });
  await fail();
  assert.equal(errors.length, 2);
  builds.stop();
});
