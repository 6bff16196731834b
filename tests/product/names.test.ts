/** The catalogue is made and changed by requests of the dashboard, without a terminal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Build, NameChange, NamesPlan, NamesRead } from '#contract/names.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { openSession } from '../support/calls.ts';
import {
  copyOfBuiltProject,
  type ProductProcess,
  PUBLIC_KEY,
  startProductProcess,
} from '../support/product.ts';
import { fetchPage, headlineOf, waitUntil } from '../support/terminal.ts';

/** Builds take seconds each, more on a busy machine. */
const OF_BUILDS = { timeout: 600_000 };
const LIVE_TIMEOUT_MS = 120_000;
/** Each read of the build's state checks the session. */
const READ_INTERVAL_MS = 500;
const SOLD = /<title>[^<]* has been sold<\/title>/;

// Each step goes on from the catalogue of the one before. Only two builds succeed: a wrong theme makes the others fail at once.
test('names changed by an administrator', OF_BUILDS, async (t) => {
  const project = copyOfBuiltProject();
  const own = join(project.folder, 'own/catalogue.yaml');
  const theme = join(project.folder, 'own/theme.css');
  const dataDir = newDataFolder();
  const preload = `--import=${resolve('tests/support/kill-at-rename.ts')}`;
  const env = { NODE_OPTIONS: preload, KILL_AT_RENAME: 'own/catalogue.yaml' };
  let product: ProductProcess;
  let token = '';
  const breakTheme = () => writeFileSync(theme, 'body { color: red }');
  const mendTheme = () => writeFileSync(theme, '');
  t.after(async () => {
    await product?.stop();
    project.remove();
    rmSync(dataDir, { recursive: true });
  });
  product = await startProductProcess({ project: project.folder, dataDir, env });
  token = (await openSession(product)).access_token;

  await t.test(
    'the sample becomes an own catalogue, to which a list of names is added',
    OF_BUILDS,
    async () => {
      assert.equal((await send({ action: 'read', names: [] })).body.file, 'sample');
      mkdirSync(dirname(theme));
      breakTheme();
      assert.equal((await send({ action: 'init' })).status, 200);
      await waitUntil(() => /theme\.css:1:1/.test(product.log()), product.log());
      assert.match(
        await fetchPage(product.port, 'lap.app'),
        headlineOf('lap.app'),
        'the last build is served',
      );
      mendTheme();
      const text = Array.from({ length: 40 }, (_, number) => `name${number}.app $${number + 1},000`).join(
        '\n',
      );
      const plan = (await send({ action: 'plan', text })).body as unknown as NamesPlan;
      assert.equal(plan.added.length, 40);
      const added = await send({ action: 'add', batch: randomUUID(), text, plan: plan.id });
      assert.equal(added.status, 200);
      await untilLive(String(added.body.batch));
      assert.match(await fetchPage(product.port, 'name7.app'), headlineOf('name7.app'));
      assert.doesNotMatch(await fetchPage(product.port, 'name7.app'), SOLD);
    },
  );

  await t.test(
    'names are changed in the database before the pages, and a failing build is reported',
    OF_BUILDS,
    async () => {
      breakTheme();
      const sold = await change(
        set('name7.app', 'state', null, 'sold'),
        set('name8.app', 'price', '$9,000', '$500'),
      );
      assert.equal(sold.status, 200, JSON.stringify(sold.body));
      assert.deepEqual(await listed('name7.app'), { state: 'sold', price: '$8,000' });
      assert.deepEqual(await listed('name8.app'), { state: 'for_sale', price: '$500' });
      const { body } = await send({ action: 'read', names: ['name8.app'] });
      assert.deepEqual((body.names as NamesRead['names'])['name8.app']?.price, {
        value: '$500',
        is_default: false,
      });
      const build = await until(({ status }) => status === 'failed');
      assert.match(build.problem ?? '', /theme\.css:1:1/);
      assert.match(build.command ?? '', /npm run build$/);
      assert.deepEqual(build.changes, [sold.body.batch]);
      const printed = product.log().match(/theme\.css:1:1/g);
      assert.equal(printed?.length, 2, 'printed again after a good build');
      assert.doesNotMatch(await fetchPage(product.port, 'name7.app'), SOLD);
    },
  );

  await t.test(
    'a kill between the database and the file is made up for by the next start',
    OF_BUILDS,
    async () => {
      const before = readFileSync(own, 'utf8');
      const exited = once(product.process, 'exit');
      writeFileSync(`${own}.kill`, '');
      const response = await change(set('name10.app', 'state', null, 'sold')).catch(() => undefined);
      assert.equal(response, undefined, 'killed');
      await exited;
      rmSync(`${own}.kill`);
      assert.equal(readFileSync(own, 'utf8'), before);
      product = await startProductProcess({ project: project.folder, dataDir });
      token = (await openSession(product)).access_token;
      assert.match(readFileSync(own, 'utf8'), /name: name10\.app\n {4}price: \$11,000\n {4}state: sold\n/);
      assert.deepEqual(await listed('name10.app'), { state: 'sold', price: '$11,000' });
      const [row] = (await call('name_history', { name: 'name10.app' })) as { written_at: unknown }[];
      assert.ok(row?.written_at);
      assert.ok(!existsSync(join(project.folder, 'own/catalogue.yaml.draft')));
      const { changes } = (await send()).body.build as Build;
      assert.equal(changes.length, 1, 'a build of it is requested');
    },
  );

  await t.test('the next edit mends a failing build, which shows all changes', OF_BUILDS, async () => {
    mendTheme();
    const { body } = await change(set('name9.app', 'state', null, 'reserved'));
    await untilLive(String(body.batch));
    assert.deepEqual(((await send()).body.build as Build).changes, []);
    for (const name of ['name7.app', 'name10.app'])
      assert.match(await fetchPage(product.port, name), SOLD, name);
    assert.deepEqual(await listed('name7.app'), { state: 'sold', price: '$8,000' });
    assert.deepEqual(await listed('name8.app'), { state: 'for_sale', price: '$500' });
  });

  await t.test('a session that has ended changes nothing', async () => {
    const before = readFileSync(own, 'utf8');
    const ended = (await openSession(product)).access_token;
    await fetch(`${product.origin}/auth/v1/logout?scope=local`, {
      method: 'POST',
      headers: { apikey: PUBLIC_KEY, authorization: `Bearer ${ended}` },
    });
    const kept = token;
    token = ended;
    const { status, body } = await change(set('name1.app', 'state', null, 'sold'));
    token = kept;
    assert.deepEqual([status, body.code], [401, 'session_ended']);
    assert.equal(readFileSync(own, 'utf8'), before);
  });

  function set(name: string, field: string, from: string | null, to: string | null): NameChange {
    return { name, field, from, to };
  }

  function change(...changes: NameChange[]) {
    return send({ action: 'change', batch: randomUUID(), changes });
  }

  async function send(body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${product.origin}/admin/catalogue`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function call(name: string, body: object): Promise<unknown> {
    const response = await fetch(`${product.origin}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: {
        apikey: PUBLIC_KEY,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify(body),
    });
    return await response.json();
  }

  async function listed(name: string): Promise<{ state: string; price: string } | undefined> {
    const [found] = (await call('asking_prices', { names: [name] })) as { state: string; price: string }[];
    return found && { state: found.state, price: found.price };
  }

  function untilLive(batch: string): Promise<Build> {
    return until(({ live }) => live.includes(batch));
  }

  async function until(isReached: (build: Build) => boolean): Promise<Build> {
    const deadline = performance.now() + LIVE_TIMEOUT_MS;
    for (;;) {
      const build = (await send()).body.build as Build;
      if (isReached(build)) return build;
      assert.ok(
        performance.now() < deadline,
        `the build is not as expected: ${JSON.stringify(build)}\n${product.log()}`,
      );
      await pause(READ_INTERVAL_MS);
    }
  }
});
