/** `npm run dev`: the same product with hot reload. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { BASE_ENV } from '../support/base-environment.ts';
import { bootedDataFolder } from '../support/booted-data-folder.ts';
import { callFunction } from '../support/calls.ts';
import { freePort } from '../support/free-port.ts';
import { sendBytes } from '../support/http-client.ts';
import { childrenOf } from '../support/processes.ts';
import { ADMIN, copyOfProject, type Product, PUBLIC_KEY } from '../support/product.ts';
import { rawGet } from '../support/raw-get.ts';
import { fetchPage, headlineOf, isAlive, NODE, newFolder, runTool, waitUntil } from '../support/terminal.ts';
import { watchChild } from '../support/watch-child.ts';
import { assertPrivate, plantInDataFolder, plantSecrets, SECRET_PLACES } from './dev-secrets.ts';

const HOSTS: [host: string, status: number][] = [
  ['localhost', 200],
  ['127.0.0.1:4321', 200],
  ['[::1]', 200],
  ['lap.app', 200],
  ['www.lap.app', 200],
  ['lap.app.localhost:80', 200],
  ['evil.example', 403],
  ['evil.example:4321', 403],
  ['lap.app.evil.example', 403],
  ['localhost.evil.example', 403],
  ['localhost@evil.example', 403],
  ['localhost, evil.example', 403],
];

/** Web sockets: the client, its headers and the status. */
const UPGRADES: [what: string, headers: string, status: number][] = [
  ['a program on this machine', 'Host: localhost:PORT', 101],
  ['a page of another origin', 'Host: localhost:PORT\r\nOrigin: http://localhost:1', 400],
  ['a page of a foreign site', 'Host: localhost:PORT\r\nOrigin: https://evil.example', 400],
  ['a page without an origin', 'Host: localhost:PORT\r\nOrigin: null', 400],
  ['a page of its own without the token', 'Host: localhost:PORT\r\nOrigin: http://localhost:PORT', 400],
  ['a host that DNS rebinding leads here', 'Host: evil.example', 400],
];

function upgradeTo(headers: string): string {
  return [
    'GET / HTTP/1.1',
    headers,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: vite-hmr',
    '\r\n',
  ].join('\r\n');
}

/** Two servers, which bundle the packages, and thousands of requests take 35 s of processor time. */
const TIMEOUT_MS = 300_000;

// One server for all steps. Those that only read come first, then edits, then its end.
test('npm run dev', { timeout: TIMEOUT_MS }, async (t) => {
  const project = copyOfProject();
  const file = join(project.folder, 'src/content/catalogue.yaml');
  const catalogue = readFileSync(file, 'utf8');
  const theme = join(project.folder, 'own/theme.css');
  const outside = newFolder();
  const port = await freePort();
  plantSecrets(project.folder, outside);
  cpSync(bootedDataFolder(), join(project.folder, 'vault'), { recursive: true });
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'commands/dev.ts'], {
    cwd: project.folder,
    env: {
      ...BASE_ENV,
      PORT: String(port),
      HOST: '0.0.0.0',
      // Below the clone's folder, which the development server reads.
      DATA_DIR: join(project.folder, 'vault'),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
  });
  t.after(() => {
    child.kill('SIGKILL');
    project.remove();
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  await waitUntil(() => log.includes(`Ready: http://localhost:${port}`), log);
  plantInDataFolder(project.folder);

  await t.test(
    'npm run dev serves pages by host name, the admin pages and the functions on one origin',
    async () => {
      assert.match(await fetchPage(port, 'localhost'), headlineOf(undefined));
      assert.match(await fetchPage(port, 'www.lap.app'), headlineOf('lap.app'));
      assert.match(await fetchPage(port, 'LAP.app.localhost'), headlineOf('lap.app'));
      assert.match(
        await fetchPage(port, 'lap.app', '/de/'),
        /<html lang="de">.*<strong[^>]*>lap(?:<[^>]*>)*\.(?:<[^>]*>)*app<\/strong>/s,
      );
      assert.match(
        await fetchPage(port, 'localhost', '/de/'),
        /<html lang="de">.*<h1[^>]*>.*Premium-Domain.*<\/h1>/s,
      );
      assert.match(await fetchPage(port, 'localhost', '/admin'), /<title>Admin Access<\/title>/);
      assert.equal((await callFunction(dev(), 'bot-check')).status, 200);
      assert.equal((await callFunction(dev(), 'admin-auth', ADMIN)).status, 200);
    },
  );

  await t.test(
    'the copies of the catalogue, which have its minimums, are readable for the user alone',
    () => {
      const copies = globSync('**/data-store.json', { cwd: join(project.folder, '.astro') });
      assert.ok(copies.length > 0);
      for (const copy of copies)
        assert.equal(statSync(join(project.folder, '.astro', copy)).mode & 0o077, 0, copy);
    },
  );

  await t.test('npm run dev serves the sources and packages that the pages load', async () => {
    const page = await fetchPage(port, 'localhost');
    const ofForm = [...page.matchAll(/ data-(?:island|then)="(.*?)"/g)].map(([, path = '']) => path);
    assert.deepEqual(ofForm, ['/src/islands/hydrate-offer-form.ts', '/src/stores/provide-calls.ts']);
    for (const path of [
      ...ofForm,
      '/@vite/client',
      '/src/islands/OfferForm.tsx',
      '/src/styles/base.css',
      '/admin-app/mount.tsx',
      '/supabase/functions/_shared/contract/offer.ts',
      '/node_modules/@astrojs/react/dist/client.js',
      `/@fs${realpathSync('node_modules')}/@astrojs/react/dist/client.js`,
      '/favicon.ico',
    ]) {
      assert.equal((await rawGet(port, path)).status, 200, path);
    }
  });

  for (const place of SECRET_PLACES) {
    await t.test(`${place} is not served in any spelling`, async () => {
      const file = join(project.folder, place);
      await assertPrivate(port, place, file);
    });
  }

  await t.test('a data folder outside the project is not served in any spelling', async () => {
    const file = join(outside, 'secrets.json');
    await assertPrivate(port, relative(project.folder, file), file);
  });

  for (const [host, status] of HOSTS) {
    await t.test(`a request to the host “${host}” gets ${status}`, async () => {
      for (const path of [
        '/',
        '/@vite/client',
        '/src/islands/OfferForm.tsx',
        '/functions/v1/bot-check?domain=lap.app',
      ]) {
        const response = await rawGet(port, path, { host, apikey: PUBLIC_KEY });
        assert.equal(response.status, status, path);
      }
    });
  }

  await t.test('only this machine reaches the server, whatever HOST is', async () => {
    // Of this machine too, and open where a server listens on every address.
    const elsewhere = connect({ host: '127.0.0.2', port });
    await assert.rejects(once(elsewhere, 'connect'), { code: 'ECONNREFUSED' });
  });

  await t.test('a URL instead of a path, two Host headers and none lead to no secret file', async () => {
    for (const head of [
      'GET http://localhost/vault/secrets.json HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET /vault/secrets.json HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
      'GET /vault/secrets.json HTTP/1.0\r\n\r\n',
    ]) {
      assert.doesNotMatch((await sendBytes(port, head)).text, /jwtSecret/i);
    }
  });

  for (const [what, headers, status] of UPGRADES) {
    await t.test(`the web socket of hot reload responds with ${status} to ${what}`, async () => {
      const response = await sendBytes(port, upgradeTo(headers.replaceAll('PORT', String(port))));
      assert.equal(response.status, status, response.text);
    });
  }

  await t.test('a page of another site gets no source and no response of a function', async () => {
    const script = {
      host: 'localhost',
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'script',
    };
    for (const path of ['/src/stores/offer.ts', '/functions/v1/bot-check?domain=lap.app']) {
      assert.equal((await rawGet(port, path, script)).status, 403, path);
    }
    const link = { ...script, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    assert.equal((await rawGet(port, '/', link)).status, 200);
    const page = await rawGet(port, '/', { host: 'localhost', origin: 'http://localhost:1' });
    assert.equal(page.headers['access-control-allow-origin'], undefined);
  });

  await t.test('pages get the owner’s theme when it is made, and follow its edits', async () => {
    assert.match(await fetchPage(port, 'lap.app'), /--radius: ?0\.5rem;/);
    for (const radius of ['0.75', '1.5']) {
      const save = () => writeFileSync(theme, `:root { --radius: ${radius}rem }`);
      save();
      const again = setInterval(save, 8_000);
      try {
        await waitUntil(
          async () => (await fetchPage(port, 'lap.app')).includes(`--radius:${radius}rem`),
          `a radius of ${radius}rem is shown`,
        );
      } finally {
        clearInterval(again);
      }
    }
  });

  await t.test(
    'an error in the catalogue is shown in the terminal and on the page, and offers are still accepted',
    async () => {
      writeFileSync(file, `${catalogue}\n  - { nmae: fresh.example }\n`);
      const problem = /entry 5, field nmae is not a known field/;
      await waitUntil(() => problem.test(log), log);
      assert.match(await fetchPage(port, 'lap.app'), problem);
      assert.equal(await refusalOfOffer('lap.app'), 'bot_check_failed');
      assert.equal(await refusalOfOffer('fresh.example'), 'unknown_domain');
    },
  );

  await t.test(
    'a domain added to the catalogue gets its page and accepts offers without a restart',
    async () => {
      const entry = '{ name: fresh.example, price: $1, description: Brand new., hasBroker: false }';
      const save = () => writeFileSync(file, `${catalogue}\n  - ${entry}\n`);
      save();
      // The system may drop the news of a change so soon after another. A person would save again, too.
      const again = setInterval(save, 8_000);
      try {
        await waitUntil(
          async () => headlineOf('fresh.example').test(await fetchPage(port, 'fresh.example.localhost')),
          log,
        );
        await waitUntil(async () => (await refusalOfOffer('fresh.example')) === 'bot_check_failed', log);
      } finally {
        clearInterval(again);
      }
    },
  );

  await t.test('Ctrl-C ends every process of npm run dev', async () => {
    const processes = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
    const exited = new Promise((done) => child.once('exit', done));
    for (const pid of processes) process.kill(pid, 'SIGINT');
    assert.equal(await exited, 0);
    assert.deepEqual(processes.filter(isAlive), []);
  });

  await t.test('npm run dev stops when public/ contains customers’ data', () => {
    const table = join(project.folder, 'public/offers.csv');
    writeFileSync(table, 'a');
    const { code, text } = runTool('commands/dev.ts', [], { DATA_DIR: newFolder() }, project.folder);
    rmSync(table);
    assert.equal(code, 1);
    assert.match(text, /public\/offers\.csv looks like customers’ data/);
  });

  // In the same folder, for which Vite has bundled the packages.
  await t.test(
    'npm run dev with a hosted project starts no backend and serves no backend paths',
    async () => {
      const dataDir = join(newFolder(), 'none');
      const hosted = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'commands/dev.ts'], {
        cwd: project.folder,
        env: {
          ...BASE_ENV,
          PORT: '0',
          DATA_DIR: dataDir,
          SUPABASE_URL: 'https://name.supabase.example',
          SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_hosted',
        },
      });
      const { log, exited } = watchChild(hosted);
      await waitUntil(() => /^Administrator:\n.*\n/m.test(log()), log());
      const port = Number(/^Ready: http:\/\/localhost:(\d+)$/m.exec(log())?.[1]);
      assert.match(await fetchPage(port, 'lap.app'), headlineOf('lap.app'));
      assert.doesNotMatch(log(), /password/);
      assert.equal((await callFunction({ origin: `http://localhost:${port}` }, 'bot-check')).status, 404);
      assert.equal(existsSync(dataDir), false);
      hosted.kill('SIGTERM');
      assert.equal(await exited, 0);
    },
  );

  function dev(): Pick<Product, 'origin'> {
    return { origin: `http://localhost:${port}` };
  }

  /** Returns the error of an offer without a bot check. */
  async function refusalOfOffer(domain: string): Promise<string | undefined> {
    const response = await callFunction(dev(), 'order-submit', {
      domain_name: domain,
      offer_amount: '1',
      customer_name: 'Ada',
      customer_email: 'ada@example.com',
      turnstile_token: 'none',
    });
    return ((await response.json()) as { code?: string }).code;
  }
});
