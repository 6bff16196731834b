/** The catalogue is made and changed by requests of the dashboard, without a terminal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
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
import { fetchPage } from '../support/terminal.ts';

/** Builds take seconds each, more on a busy machine. */
const OF_BUILDS = { timeout: 600_000 };
const LIVE_TIMEOUT_MS = 120_000;

describe('names changed by an administrator', OF_BUILDS, () => {
  const project = copyOfBuiltProject();
  const own = join(project.folder, 'own/catalogue.yaml');
  const dataDir = newDataFolder();
  let product: ProductProcess;
  let token = '';
  before(async () => {
    product = await startProductProcess({ project: project.folder, dataDir });
    token = (await openSession(product)).access_token;
    assert.equal((await send({ action: 'read', names: [] })).body.file, 'sample');
    assert.equal((await send({ action: 'init' })).status, 200);
    const text = Array.from({ length: 40 }, (_, number) => `name${number}.app $${number + 1},000`).join('\n');
    const plan = (await send({ action: 'plan', text })).body as unknown as NamesPlan;
    assert.equal(plan.added.length, 40);
    const added = await send({ action: 'add', batch: randomUUID(), text, plan: plan.id });
    assert.equal(added.status, 200);
    await untilLive(String(added.body.batch));
    assert.match(await fetchPage(product.port, 'name7.app'), /name7/);
  }, OF_BUILDS);
  after(async () => {
    await product.stop();
    project.remove();
  });

  test('names of an own catalogue are changed, in the database at once and then on the pages', async () => {
    const sold = await change(
      set('name7.app', 'state', null, 'sold'),
      set('name8.app', 'price', '$9,000', '$500'),
    );
    assert.equal(sold.status, 200, JSON.stringify(sold.body));
    assert.deepEqual(await listed('name7.app'), { state: 'sold', price: '$8,000' });
    assert.deepEqual(await listed('name8.app'), { state: 'for_sale', price: '$500' });
    assert.ok(
      !((await send()).body.build as Build).live.includes(String(sold.body.batch)),
      'the database has it before the pages',
    );
    await untilLive(String(sold.body.batch));
    assert.match(await fetchPage(product.port, 'name7.app'), /sold/i);
    assert.deepEqual(await listed('name7.app'), { state: 'sold', price: '$8,000' });
    const { body } = await send({ action: 'read', names: ['name8.app'] });
    assert.deepEqual((body.names as NamesRead['names'])['name8.app']?.price, {
      value: '$500',
      is_default: false,
    });
  });

  test('a failing build is reported in its own words, and the next edit mends it', async () => {
    const theme = join(project.folder, 'own/theme.css');
    writeFileSync(theme, 'body { color: red }');
    await change(set('name9.app', 'state', null, 'reserved'));
    const build = await until((one) => one.status === 'failed');
    assert.match(build.problem ?? '', /theme\.css:1:1/);
    assert.match(build.command ?? '', /npm run build$/);
    assert.match(await fetchPage(product.port, 'name9.app'), /name9/, 'the last build is served');
    writeFileSync(theme, '');
    const { body } = await change(set('name9.app', 'state', 'reserved', null));
    await untilLive(String(body.batch));
  });

  test('a kill between the database and the file is made up for by the next start', async () => {
    await product.stop();
    const preload = `--import=${resolve('tests/support/kill-at-rename.ts')}`;
    product = await startProductProcess({
      project: project.folder,
      dataDir,
      env: { NODE_OPTIONS: preload, KILL_AT_RENAME: 'own/catalogue.yaml' },
    });
    token = (await openSession(product)).access_token;
    const before = readFileSync(own, 'utf8');
    const exited = once(product.process, 'exit');
    await change(set('name10.app', 'state', null, 'sold')).catch(() => undefined);
    await exited;
    assert.equal(readFileSync(own, 'utf8'), before);
    product = await startProductProcess({ project: project.folder, dataDir });
    token = (await openSession(product)).access_token;
    assert.match(readFileSync(own, 'utf8'), /name: name10\.app\n {4}price: \$11,000\n {4}state: sold\n/);
    assert.deepEqual(await listed('name10.app'), { state: 'sold', price: '$11,000' });
    const [row] = (await call('name_history', { name: 'name10.app' })) as { written_at: unknown }[];
    assert.ok(row?.written_at);
    await until(({ changes }) => changes.length === 0);
    assert.match(await fetchPage(product.port, 'name10.app'), /sold/i);
    assert.ok(!existsSync(join(project.folder, 'own/catalogue.yaml.draft')));
  });

  test('a session that has ended changes nothing', async () => {
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
      await pause(100);
    }
  }
});
