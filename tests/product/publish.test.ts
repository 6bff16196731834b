/** The catalogue of a running product: edits are published with their pages, and a problem takes nothing off the air. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BASE_ENV } from '../support/base-environment.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { botCheckToken, callFunction, makeOffer, openSession } from '../support/calls.ts';
import { sendRequest } from '../support/http-client.ts';
import {
  copyOfBuiltProject,
  copyOfProject,
  type Product,
  startProduct,
  startProductProcess,
} from '../support/product.ts';
import { NODE, newFolder, runTool, waitUntil } from '../support/terminal.ts';
import { watchChild } from '../support/watch-child.ts';

interface Entry {
  name: string;
  hasBroker?: boolean;
  state?: string;
}

/**
 * From the end of a build until its names take offers, in milliseconds. The server looks for a build every second; the rest
 * is for a machine with other work.
 */
const PUBLISH_LIMIT_MS = 10_000;

const SOLD = { name: 'sold.example', state: 'sold' };

/** Printed where a name links to a broker that nobody has written yet. */
const PLACEHOLDER = /^Warning: brokerUrl leads to broker\.example, which is a placeholder: /m;

/** Two builds and two starts take 20 s of processor time. */
const TIMEOUT_MS = 300_000;

// Each step goes on from the catalogue and the build of the one before.
test('the catalogue of a running product', { timeout: TIMEOUT_MS }, async (t) => {
  const project = copyOfBuiltProject();
  const own = join(project.folder, 'own');
  const sample = join(project.folder, 'src/content/catalogue.yaml');
  const dataDir = newDataFolder();
  let product: Product;

  const write = (file: string, entries: Entry[]) => {
    const domains = entries.map((entry) => ({
      price: '$1',
      description: 'A name.',
      hasBroker: false,
      ...entry,
    }));
    const settings = { brokerUrl: 'https://broker.example/{domain}' };
    writeFileSync(file, JSON.stringify({ settings, domains }));
  };
  /** Builds without blocking this process, whose product responds to it. */
  const build = async () => {
    const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'commands/build.ts'], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...BASE_ENV, DATA_DIR: dataDir },
    });
    const { log, exited } = watchChild(child);
    return { code: await exited, text: log() };
  };
  /** The code of the rejection of an offer, or its status if it is stored. */
  const offerFor = async (domain_name: string, turnstile_token = 'none') => {
    const offer = {
      domain_name,
      offer_amount: '$1',
      customer_name: 'Ada',
      customer_email: 'ada@example.com',
    };
    const response = await callFunction(product, 'order-submit', { ...offer, turnstile_token });
    const { code } = (await response.json()) as { code?: string };
    return code ?? response.status;
  };

  /** The token of the buyer's link to a new offer, which the owner has countered. */
  const linkFor = async (domain_name: string) => {
    const offer_id = await makeOffer(product, { domain_name });
    const { access_token } = await openSession(product);
    const move = { kind: 'counter', seen: 1, amount: '$2' };
    const headers = { authorization: `Bearer ${access_token}` };
    const response = await callFunction(product, 'negotiation', { offer_id, move }, headers);
    return ((await response.json()) as { link: string }).link.split('#')[1];
  };
  /** The code of the rejection of a buyer's acceptance, or its status. */
  const accept = async (token: string | undefined) => {
    const response = await callFunction(product, 'negotiation', { token, move: { kind: 'accept', seen: 2 } });
    const { code } = (await response.json()) as { code?: string };
    return code ?? response.status;
  };

  t.after(async () => {
    await product?.stop();
    project.remove();
    rmSync(dataDir, { recursive: true });
  });
  // With the build of the sample.
  product = await startProduct({ dataDir, site: join(project.folder, 'dist') });

  await t.test(
    'a build takes no page and no file away, and when it has ended its names take offers, and sold ones no move',
    { timeout: TIMEOUT_MS },
    async () => {
      const [sold, kept] = [await linkFor('lap.app'), await linkFor('site.example')];
      // The build that is served is old enough to be removed.
      const builds = join(project.folder, '.builds');
      const served = basename(realpathSync(join(project.folder, 'dist')));
      assert.ok(existsSync(join(builds, `${served}.${process.pid}`)), 'the served build stays');
      const old = new Date(Date.now() - 600_000);
      for (const name of readdirSync(builds)) utimesSync(join(builds, name), old, old);
      // From now on the catalogue is the owner's.
      mkdirSync(own);
      write(join(own, 'catalogue.yaml'), [
        { name: 'new.example', hasBroker: true },
        { name: 'lap.app', state: 'sold' },
        { name: 'held.example', state: 'reserved' },
        { name: 'site.example' },
      ]);
      const oldToken = await botCheckToken(product, 'sample.app');
      let isBuilding = true;
      const ended = build().finally(() => {
        isBuilding = false;
      });
      let requests = 0;
      const page = join(project.folder, 'dist/client/sites/site.example/index.html');
      const sendRequests = async () => {
        while (isBuilding) {
          readFileSync(page);
          const kept = await sendRequest(product.port, { path: '/', headers: { host: 'site.example' } });
          assert.equal(kept.status, 200);
          // The page of a removed name stands as long as its offers are accepted.
          const removed = await sendRequest(product.port, { path: '/sites/sample.app/' });
          if (removed.status === 200) assert.notEqual(await offerFor('site.example'), 'unknown_domain');
          requests += 1;
          await pause(30);
        }
      };
      const [{ code, text }] = await Promise.all([ended, sendRequests(), sendRequests()]);
      assert.equal(code, 0, text);
      assert.match(text, PLACEHOLDER);
      for (const path of ['/robots.txt', '/sitemap.xml', '/sites/new.example/']) {
        const response = await sendRequest(product.port, { path, headers: { host: 'site.example' } });
        assert.equal(response.status, 200, path);
      }
      assert.match(text, /The running product serves it, and takes offers for its domains\./);
      assert.equal(await accept(sold), 'link_invalid');
      assert.equal(await accept(kept), 200);
      assert.ok(requests > 100, `${requests} requests`);
      assert.equal(await offerFor('new.example', await botCheckToken(product, 'new.example')), 201);
      assert.equal(await offerFor('sample.app', oldToken), 'unknown_domain');
      const built = performance.now();
      await waitUntil(async () => (await offerFor('lap.app')) === 'domain_sold');
      assert.ok(performance.now() - built < PUBLISH_LIMIT_MS);
      assert.equal(await offerFor('held.example'), 'domain_reserved');
      assert.equal((await sendRequest(product.port, { path: '/sites/sample.app/' })).status, 404);
      assert.equal((await sendRequest(product.port, { path: '/sites/new.example/' })).status, 200);
    },
  );

  await t.test('a catalogue of the owner’s that is gone is not replaced by the sample', async () => {
    renameSync(own, `${own}.gone`);
    const { code, text } = await build();
    renameSync(join(`${own}.gone`, 'catalogue.yaml'), sample);
    rmSync(join(project.folder, 'dist/catalogue-origin.txt'), { force: true });
    assert.equal(code, 1);
    assert.match(text, /own\/catalogue\.yaml {2}is not there any more: put it back/);
    assert.equal((await sendRequest(product.port, { path: '/sites/new.example/' })).status, 200);
  });

  write(sample, [{ name: 'Wrong.example' }]);
  await product.stop();
  product = await startProductProcess({ dataDir, project: project.folder, options: ['--watch'] });

  await t.test(
    'a wrong catalogue is reported, and the last good build stays on the air over a restart',
    async () => {
      const why = /catalogue\.yaml:1:\d+ {2}entry 1 \(Wrong\.example\), field name .* write wrong\.example/;
      assert.match(product.log(), why);
      assert.match(product.log(), /The last good build is served until this is corrected\./);
      assert.equal((await sendRequest(product.port, { path: '/sites/new.example/' })).status, 200);
      assert.equal(await offerFor('new.example', await botCheckToken(product, 'new.example')), 201);
      const health = await sendRequest(product.port, { path: '/health' });
      assert.equal(health.status, 200);
      assert.match((JSON.parse(health.text) as { reasons: { catalogue: string } }).reasons.catalogue, why);
      const { code, text } = await build();
      assert.equal(code, 1);
      assert.match(text, why);
    },
  );

  await t.test('with --watch an edit is built, and served soon after the build', async () => {
    const builds = () => product.log().split('Built the pages').length;
    const before = builds();
    write(sample, [{ name: 'Other.example' }]);
    await waitUntil(() => /Other\.example/.test(product.log()), 'the problem is printed');
    const others = Array.from({ length: 22 }, (_, n) => ({ name: `name${n}.example` }));
    write(sample, [{ name: 'watched.example' }, { name: 'site.example' }, ...others, SOLD]);
    await waitUntil(() => builds() > before, 'the edit is built');
    const built = performance.now();
    await waitUntil(async () => (await offerFor('watched.example')) === 'bot_check_failed');
    await waitUntil(async () => (await offerFor('new.example')) === 'unknown_domain');
    assert.ok(performance.now() - built < PUBLISH_LIMIT_MS, `${performance.now() - built} ms`);
    assert.equal((await sendRequest(product.port, { path: '/sites/watched.example/' })).status, 200);
  });

  await t.test('24 domains for sale are on every page, without pages of domains', async () => {
    const textOf = async (path: string) => (await sendRequest(product.port, { path })).text;
    for (const path of ['/', '/sites/watched.example/'])
      assert.equal((await textOf(path)).match(/<input type="radio"/g)?.length, 24, path);
    assert.equal(
      (await textOf(`/sites/${SOLD.name}/`)).match(/href="\/sites\/[\w.]+\.example\/"/g)?.length,
      6,
    );
    assert.ok(!existsSync(join(project.folder, 'dist/client/domains')));
  });
});

test('the first start with a wrong catalogue fails with its error', () => {
  const project = copyOfProject();
  try {
    writeFileSync(join(project.folder, 'src/content/catalogue.yaml'), 'domains: []\n');
    const { code, text } = runTool('commands/start.ts', [], { DATA_DIR: newFolder() }, project.folder);
    assert.equal(code, 1);
    assert.match(text, /section domains is empty/);
  } finally {
    project.remove();
  }
});
