/**
 * docs/deploy/install.sh in bare roots of the releases of Debian that it is for, as root would run it on a new server. systemd
 * does not run there: the test starts what the units would. Takes minutes and needs what container.test.ts needs.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { globalAgent } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { childrenOf } from '../support/processes.ts';
import { fetchPage, headlineOf, waitUntil } from '../support/terminal.ts';
import { watchChild } from '../support/watch-child.ts';
import { type Built, makeDebian, missingForRoots, npmEnv, runIn, startIn } from './root.ts';

const CLONE = '/opt/domain-storefront';
const NAME = 'installed.example';
const CATALOGUE = `domains:\n  - name: ${NAME}\n    price: $1\n    description: One.\n`;
/** Where Node is after the script: the release's own, or a newer one. */
const RELEASES = { bookworm: '/usr/local/bin/node', trixie: '/usr/bin/node' };
const SETTINGS = {
  REPOSITORY: '/srv/storefront.git',
  ADMIN_HOST: 'desk.example',
  SMTP_URL: "smtp://ada:it's%231@127.0.0.1:2525",
  MAIL_FROM: 'Offers <offers@example.com>',
  MAIL_TO: 'ada@example.com',
};

const missing = missingForRoots();
const folder = mkdtempSync(join(tmpdir(), 'install-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [release, node] of Object.entries(RELEASES)) {
  test(`the script installs a bare ${release}, and does no harm to the running product`, async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const root = join(folder, release);
    makeDebian(root, [], release);
    // Every server has it; sudo and the product look names up there.
    writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${hostname()}\n`);
    mkdirSync(join(root, 'root/own'));
    writeFileSync(join(root, 'root/own/catalogue.yaml'), CATALOGUE);
    copyFileSync('docs/deploy/install.sh', join(root, 'root/install.sh'));
    const cloned = spawnSync('git', ['clone', '--quiet', '--bare', '.', join(root, 'srv/storefront.git')]);
    assert.equal(cloned.status, 0, String(cloned.stderr));

    const place = { root, env: npmEnv(), folder: CLONE, command: [], healthCheck: [], volumes: [] };
    const [asRoot, asUser]: Built[] = [
      { ...place, user: 'root' },
      { ...place, user: 'storefront' },
    ];
    assert.ok(asRoot && asUser);
    const install = (settings: Record<string, string>) => {
      const begin = performance.now();
      const text = runIn(asRoot, ['sh', '-c', 'sh /root/install.sh 2>&1; echo "exit $?"'], settings);
      return { text, seconds: Math.round((performance.now() - begin) / 1000) };
    };

    const first = install(SETTINGS);
    context.diagnostic(`${release}: ${first.seconds} s\n${first.text}`);
    assert.match(first.text, /Nothing is started, because systemd does not run here/);
    assert.match(first.text, /\nfail +product .*\n[\s\S]*\nexit 1\n$/, 'the doctor is last');
    assert.equal(runIn(asRoot, ['sh', '-c', 'command -v node']).trim(), node);
    const stat = ['stat', '--format', '%a %U', `${CLONE}/.env`, '/var/backups/domain-storefront'];
    assert.equal(runIn(asRoot, stat), '600 storefront\n700 storefront\n');
    assert.throws(
      () => runIn({ ...asRoot, user: 'www-data' }, ['cat', `${CLONE}/.env`]),
      /Permission denied/,
    );
    const development = ['@biomejs/biome', '@playwright/test', 'deno', 'knip'];
    const found = development.filter((name) =>
      existsSync(join(root, CLONE, 'node_modules', name, 'package.json')),
    );
    assert.deepEqual(found, [], 'no packages for development');

    const port = await freePort();
    appendFileSync(join(root, CLONE, '.env'), `PORT=${port}\n`);
    // Made by systemd, as the unit says.
    runIn(asRoot, ['install', '-d', '-o', 'storefront', '-m', '700', '/var/lib/domain-storefront']);
    const child = startIn(asUser, ['sh', '-c', `exec ${programOf(root, 'domain-storefront.service')}`], {});
    const { log, exited } = watchChild(child);
    context.after(async () => {
      for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, 'SIGTERM');
      await exited;
    });
    await waitUntil(() => log().includes('Ready: '), log());
    assert.doesNotMatch(log(), /Building the pages/);
    assert.match(await fetchPage(port, NAME), headlineOf(NAME));

    const second = install({});
    context.diagnostic(`${release}, again: ${second.seconds} s`);
    assert.match(second.text, new RegExp(`\\nok +product .* at http://localhost:${port}\\b`));
    assert.match(second.text, /\ncat \/var\/lib\/domain-storefront\/admin-password\.txt\n/);
    assert.doesNotMatch(second.text, /Installing|Written/);
    // This process stood still meanwhile, and has not noticed that the server closed the connection.
    globalAgent.destroy();
    assert.match(await fetchPage(port, NAME), headlineOf(NAME));
    assert.match(readFileSync(join(root, CLONE, '.env'), 'utf8'), /it's%231/);

    runIn(asUser, ['sh', '-c', `cd ${CLONE} && ${programOf(root, 'domain-storefront-backup.service')}`]);
    assert.match(runIn(asRoot, ['ls', '/var/backups/domain-storefront']), /^storefront-.+\.backup$/m);
  });
}

/** What a unit starts, with the environment that it gives. */
function programOf(root: string, unit: string): string {
  const text = readFileSync(join(root, 'etc/systemd/system', unit), 'utf8');
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, one]) => one);
  return `env ${values('Environment').join(' ')} ${values('ExecStart').join('')}`;
}
