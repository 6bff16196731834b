/** docs/deploy/install.sh below a folder of the test: programs of the system are stubs that note how they are called. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { newFolder } from '../support/terminal.ts';

const UNITS = readdirSync('docs/deploy').filter((name) => name.startsWith('domain-storefront'));
/** What the script takes from the system as it is. */
const REAL = 'cat chmod cmp cp cut dirname env grep ln md5sum mkdir mv rm rmdir sh'.split(' ');
const STUBS =
  'apt-get chown dpkg-query git id node sleep sudo systemctl update-ca-certificates useradd'.split(' ');
/** Stubs that apt-get brings. */
const PACKAGED = ['caddy', 'npm'];
const OWN = 'domains: []\n';
const PACKAGED_CADDYFILE = ':80 {\n}\n';
const SETTINGS = {
  REPOSITORY: '/srv/storefront.git',
  ADMIN_HOST: 'names.example.com',
  SMTP_URL: 'smtps://ada%40example.com:secret@smtp.example.com:465',
  MAIL_FROM: 'Offers <offers@example.com>',
  MAIL_TO: '"Love, Ada" <ada@example.com>, bob@example.com',
};

const STUB = `#!/bin/sh
name=\${0##*/}
case "$name $*" in
  'id -u') echo "$STUB_UID"; exit ;;
  'id storefront') grep -q ^useradd "$STUB_LOG"; exit ;;
  'node --version') echo "v$STUB_NODE.0.0"; exit ;;
  'node -e process.exit(parseInt'*) exec "$STUB_REAL_NODE" -e "process.exit($STUB_NODE < 20 ? 1 : 0)" ;;
  'node -e fetch('*) exit 0 ;;
  dpkg-query*) [ -z "$STUB_PACKAGED_MD5" ] || printf '\\n /etc/caddy/Caddyfile %s\\n' "$STUB_PACKAGED_MD5"; exit ;;
esac
echo "$name $*" >>"$STUB_LOG"
env >>"$STUB_LOG.env"
[ -z "$STUB_FAILS" ] || case "$name $*" in *"$STUB_FAILS"*) echo "$name has failed" >&2; exit 1 ;; esac
case "$name $*" in
  apt-get*install*) for one in ${PACKAGED.join(' ')}; do cp "$0" "\${0%/*}/$one"; done ;;
  'git clone'*) for last; do :; done; mkdir -p "\${last%/*}"; cp -R "$STUB_CLONE" "$last" ;;
  'npm install --global'*) [ -n "$STUB_NODE_STAYS" ] || printf '#!/bin/sh\\nexit 0\\n' >"\${0%/*}/node" ;;
esac
`;

test('a first run installs everything, starts it and ends with the doctor', () => {
  const server = newServer();
  const { code, text } = server.run();
  assert.equal(code, 0, text);
  const clone = `${server.root}/opt/domain-storefront`;
  const own = `${clone}/own`;
  assert.deepEqual(server.calls(), [
    'apt-get update -qq',
    'apt-get install --yes --no-install-recommends -qq -o DPkg::Lock::Timeout=300 caddy npm',
    'useradd --system --user-group --home-dir /var/cache/domain-storefront --shell /usr/sbin/nologin storefront',
    `git clone --quiet /srv/storefront.git ${clone}`,
    `chown storefront: ${clone}/.env`,
    'npm run --silent catalogue -- check',
    'chown -R storefront: own .builds .astro',
    'sudo -u storefront npm run --silent build',
    `chown storefront: ${server.root}/var/backups/domain-storefront`,
    'systemctl daemon-reload',
    'systemctl enable --quiet --now domain-storefront.socket domain-storefront.service domain-storefront-backup.timer',
    'systemctl reload-or-restart caddy',
    'sudo -u storefront npm run --silent doctor',
  ]);
  assert.match(text, /^Installing: caddy npm$/m);
  assert.equal(readFileSync(`${own}/catalogue.yaml`, 'utf8'), OWN);
  for (const unit of UNITS) {
    assert.equal(server.read(`etc/systemd/system/${unit}`), readFileSync(join('docs/deploy', unit), 'utf8'));
  }
  assert.equal(server.read('etc/caddy/Caddyfile'), readFileSync('docs/deploy/Caddyfile', 'utf8'));
  assert.equal(statSync(`${server.root}/var/backups/domain-storefront`).mode & 0o777, 0o700);
  assert.equal(statSync(`${clone}/.env`).mode & 0o777, 0o600);
  assert.deepEqual(
    { ...parseEnv(server.read('opt/domain-storefront/.env')) },
    {
      ADMIN_HOST: 'names.example.com',
      ADMIN_EMAIL: 'ada@example.com',
      SMTP_URL: SETTINGS.SMTP_URL,
      MAIL_FROM: SETTINGS.MAIL_FROM,
      MAIL_TO: SETTINGS.MAIL_TO,
      TRUSTED_PROXIES: '1',
      DATA_DIR: '/var/lib/domain-storefront',
    },
  );
  assert.doesNotMatch(text, /secret/);
  const env = readFileSync(`${server.log}.env`, 'utf8');
  assert.match(env, /^ADMIN_HOST=/m);
  assert.doesNotMatch(env, /secret/, 'no program finds the password');
});

test('a second run overwrites nothing and names each file that it left', () => {
  const server = newServer();
  server.run();
  const mine = {
    'opt/domain-storefront/own/catalogue.yaml': 'domains: [] # mine\n',
    'opt/domain-storefront/.env': 'ADMIN_HOST=mine.example\n',
    'etc/systemd/system/domain-storefront.service': '[Unit]\n',
    'etc/caddy/Caddyfile': 'mine.example {\n}\n',
  };
  for (const [file, text] of Object.entries(mine)) writeFileSync(join(server.root, file), text);
  chmodSync(join(server.root, 'opt/domain-storefront/.env'), 0o644);
  rmSync(server.log);
  writeFileSync(server.log, 'useradd before\n');
  const { code, text } = server.run({ ...SETTINGS, ADMIN_HOST: 'other.example.com' });
  assert.equal(code, 0, text);
  for (const [file, before] of Object.entries(mine)) assert.equal(server.read(file), before);
  assert.equal(statSync(join(server.root, 'opt/domain-storefront/.env')).mode & 0o777, 0o600);
  for (const file of ['domain-storefront.service', 'Caddyfile']) {
    assert.match(text, new RegExp(`Left as it is, and not like the clone's: \\S+/${file}\\.`));
  }
  assert.match(text, /There already: \S+\/domain-storefront\.socket/);
  assert.match(text, /Settings in \S+\/\.env\nLeft as they are/);
  assert.doesNotMatch(server.calls().join('\n'), /apt-get|useradd -|git clone|npm install/);
});

test('Caddy’s file is replaced only as the package brought it', () => {
  for (const isEdited of [false, true]) {
    const server = newServer();
    const file = join(server.root, 'etc/caddy/Caddyfile');
    mkdirSync(join(server.root, 'etc/caddy'), { recursive: true });
    writeFileSync(file, PACKAGED_CADDYFILE);
    const [sum = ''] = spawnSync('md5sum', [file], { encoding: 'utf8' }).stdout.split(' ');
    if (isEdited) writeFileSync(file, `${PACKAGED_CADDYFILE}# mine\n`);
    const before = readFileSync(file, 'utf8');
    server.run(SETTINGS, { STUB_PACKAGED_MD5: sum });
    assert.equal(
      readFileSync(file, 'utf8'),
      isEdited ? before : readFileSync('docs/deploy/Caddyfile', 'utf8'),
    );
  }
});

test('a value in .env is read as it was given, whatever characters it has', () => {
  const values = ['a#b # c', "O'Brien", 'say "x"', `'"`, '"`', "'`", '$HOME \\ \\n \\"', ' é ', '=', "'\\n"];
  for (const value of values) {
    const server = newServer();
    assert.equal(server.run({ ...SETTINGS, MAIL_FROM: value }).code, 0);
    const env = parseEnv(server.read('opt/domain-storefront/.env'));
    assert.equal(env.MAIL_FROM, value);
    assert.equal(env.DATA_DIR, '/var/lib/domain-storefront');
  }
  for (const value of [`'"\``, "'`\\n", 'a\nADMIN_PASSWORD=x', 'a\r']) {
    const server = newServer();
    const { code, text } = server.run({ ...SETTINGS, MAIL_FROM: value });
    assert.equal(code, 1);
    assert.match(text, /^\nStopped: MAIL_FROM has /);
    assert.deepEqual(server.calls(), []);
  }
});

test('without root, with half a folder own or without a setting nothing is begun', () => {
  const { MAIL_TO: _, ...halfMail } = SETTINGS;
  const { ADMIN_HOST: _host, ...noHost } = SETTINGS;
  const { REPOSITORY: _repository, ...noRepository } = SETTINGS;
  const cases: [Record<string, string>, Record<string, string>, RegExp][] = [
    [SETTINGS, { STUB_UID: '1000' }, /needs root: become root with sudo -s/],
    [noHost, {}, /ADMIN_HOST is not set\. Set it/],
    [noRepository, {}, /REPOSITORY is not set\. Set it/],
    [halfMail, {}, /only some are set\. Set all three, or none/],
  ];
  for (const [settings, stubs, message] of cases) {
    const server = newServer();
    const { code, text } = server.run(settings, stubs);
    assert.equal(code, 1);
    assert.match(text, message);
    assert.deepEqual(server.calls(), []);
  }
  const server = newServer();
  rmSync(join(server.home, 'own/catalogue.yaml'));
  assert.match(server.run().text, /\S+\/own has no catalogue\.yaml\. Copy your whole folder own there/);
  assert.deepEqual(server.calls(), []);
});

test('without a folder own there is an empty one, which the service may write, and a later run leaves what is made in it', () => {
  const server = newServer();
  rmSync(join(server.home, 'own'), { recursive: true });
  const { code, text } = server.run();
  assert.equal(code, 0, text);
  assert.match(text, /The sample is shown until you make your catalogue in the dashboard/);
  assert.deepEqual(readdirSync(join(server.root, 'opt/domain-storefront/own')), []);
  assert.ok(server.calls().includes('chown -R storefront: own .builds .astro'));
  const made = 'opt/domain-storefront/own/catalogue.yaml';
  writeFileSync(join(server.root, made), OWN);
  assert.equal(server.run().code, 0);
  assert.equal(server.read(made), OWN);
});

test('a step that fails stops the script with its sentence, and a later run goes on from there', () => {
  const cases: [string, RegExp][] = [
    ['apt-get install', /apt-get has failed\n\nStopped: The packages could not be installed/],
    ['useradd', /The user could not be made/],
    ['git clone', /Check REPOSITORY, or clone it to /],
    ['catalogue -- check', /packages could not be installed, or the catalogue has problems/],
    ['run --silent build', /The pages could not be built/],
    ['systemctl enable', /journalctl -u domain-storefront/],
    ['systemctl reload-or-restart', /journalctl -u caddy/],
  ];
  for (const [call, message] of cases) {
    const server = newServer();
    const { code, text } = server.run(SETTINGS, { STUB_FAILS: call });
    assert.equal(code, 1, call);
    assert.match(text, message);
    assert.match(text, /\nThen run this again: what is done already is left as it is\.\n$/);
    assert.ok(server.calls().at(-1)?.includes(call), call);
    const again = server.run();
    assert.equal(again.code, 0, again.text);
  }
});

test('a newer Node is installed where it is too old, and the script stops where that does not help', () => {
  const server = newServer();
  const { code, text } = server.run(SETTINGS, { STUB_NODE: '18' });
  assert.equal(code, 0, text);
  const version = readFileSync('.node-version', 'utf8').trim();
  const install = 'npm install --global --no-audit --no-fund --loglevel=error';
  assert.deepEqual(
    server.calls().filter((call) => call.startsWith(install)),
    [`${install} node@${version}`, `${install} npm@11`],
  );

  const failed = newServer().run(SETTINGS, { STUB_NODE: '18', STUB_FAILS: 'npm install' });
  assert.match(failed.text, /npm has failed\n\nStopped: node@24 could not be installed/);
  const same = newServer().run(SETTINGS, { STUB_NODE: '18', STUB_NODE_STAYS: 'yes' });
  assert.match(same.text, /\nStopped: \S+\/node still is v18\.0\.0: remove it, or /);
});

test('without a running systemd the files are in place, and that is said', () => {
  const server = newServer();
  rmSync(join(server.root, 'run'), { recursive: true });
  const { code, text } = server.run();
  assert.equal(code, 0, text);
  assert.match(text, /Nothing is started, because systemd does not run here/);
  assert.doesNotMatch(server.calls().join('\n'), /systemctl/);
  for (const unit of UNITS) assert.ok(existsSync(join(server.root, 'etc/systemd/system', unit)));
});

/** A bare server: a root of its own, the files that the owner copied, and stubs. */
function newServer() {
  const folder = newFolder();
  const [root, home, bin, clone] = ['root', 'home', 'bin', 'clone'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const log = join(folder, 'log');
  for (const one of [join(root, 'run/systemd/system'), join(home, 'own'), bin, join(clone, 'docs')]) {
    mkdirSync(one, { recursive: true });
  }
  writeFileSync(join(home, 'own/catalogue.yaml'), OWN);
  copyFileSync('docs/deploy/install.sh', join(home, 'install.sh'));
  cpSync('docs/deploy', join(clone, 'docs/deploy'), { recursive: true });
  for (const name of ['package.json', '.node-version']) copyFileSync(name, join(clone, name));
  for (const name of REAL) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(bin, name));
  }
  for (const name of STUBS) writeFileSync(join(bin, name), STUB, { mode: 0o755 });
  writeFileSync(log, '');
  const stubs = {
    ...{ STUB_LOG: log, STUB_CLONE: clone, STUB_UID: '0', STUB_NODE: '20', STUB_REAL_NODE: process.execPath },
    ...{ STUB_FAILS: '', STUB_NODE_STAYS: '', STUB_PACKAGED_MD5: '' },
  };
  return {
    root,
    home,
    log,
    read: (file: string) => readFileSync(join(root, file), 'utf8'),
    calls: () => readFileSync(log, 'utf8').split('\n').slice(0, -1),
    run(settings: Readonly<Record<string, string>> = SETTINGS, more: Record<string, string> = {}) {
      const env = { PATH: bin, INSTALL_ROOT: root, ...settings, ...stubs, ...more };
      const { status, stdout, stderr } = spawnSync('sh', [join(home, 'install.sh')], {
        encoding: 'utf8',
        env,
        cwd: folder,
      });
      return { code: status, text: `${stdout}${stderr}` };
    },
  };
}
