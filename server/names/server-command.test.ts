import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { NameChange } from '#contract/names.ts';
import { commandFor, whyReadOnly } from './server-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-command-'));
after(() => rmSync(folder, { recursive: true }));
const START = 'cd /srv/shop && sudo -u storefront npm run catalogue --';
const FILE = '/srv/shop/own/catalogue.yaml';
const commandOf = (...changes: Omit<NameChange, 'from'>[]) =>
  commandFor(
    changes.map((change) => ({ from: null, ...change })),
    START,
    FILE,
    '/srv/shop',
  );

test('states have their command, prices the import of a list, and all else an editor', () => {
  assert.equal(
    commandOf(
      { name: 'lap.app', field: 'state', to: 'sold' },
      { name: 'cup.app', field: 'state', to: 'sold' },
    ),
    `${START} sold lap.app cup.app`,
  );
  assert.equal(commandOf({ name: 'lap.app', field: 'state', to: null }), `${START} for-sale lap.app`);
  assert.equal(commandOf({ name: 'lap.app', field: 'state', to: 'reserved' }), `${START} reserve lap.app`);
  assert.equal(
    commandOf(
      { name: 'lap.app', field: 'price', to: "$4,500 'firm'" },
      { name: 'new.app', field: 'entry', to: null },
    ),
    `cd /srv/shop && printf '%s\\n' name,price 'lap.app,"$4,500 '\\''firm'\\''"' new.app, | sudo -u storefront npm run catalogue -- import - --yes`,
  );
  const editor = `cd /srv/shop && sudo -u storefront \${EDITOR:-nano} own/catalogue.yaml`;
  for (const [field, to] of [
    ['minimum', '25%'],
    ['description.de', 'Kurz.'],
    ['price', null],
  ] as const)
    for (const more of [[], [{ name: 'cup.app', field: 'state', to: 'sold' }]])
      assert.equal(commandOf(...more, { name: 'lap.app', field, to }), editor);
  const change = { name: 'lap.app', field: 'minimum', from: null, to: '25%' };
  assert.match(commandFor([change], START, '/etc/names.yaml', '/srv/shop'), / \/etc\/names\.yaml$/);
});

test('a file that can be written, or made, needs no command', () => {
  const file = join(folder, 'own/catalogue.yaml');
  assert.equal(whyReadOnly(file, folder), undefined);
  mkdirSync(join(folder, 'own'), { recursive: true });
  writeFileSync(file, '');
  assert.equal(whyReadOnly(file, folder), undefined);
});

test('a read-only file system is named', () => {
  const { accessSync } = fs;
  fs.accessSync = () => {
    throw Object.assign(new Error('read-only'), { code: 'EROFS' });
  };
  syncBuiltinESMExports();
  const found = whyReadOnly(join(folder, 'own/catalogue.yaml'), folder);
  fs.accessSync = accessSync;
  syncBuiltinESMExports();
  assert.equal(found?.problem, 'own/catalogue.yaml is on a read-only file system.');
  assert.match(found?.command ?? '', /^cd \S+ && (?:sudo -u \S+ )?npm run catalogue --$/);
});

test('a file of another user is named with both users, and the command runs as its owner', (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root makes files of others');
  const [own, other] = ['own', 'other'].map((name) => join(folder, name)) as [string, string];
  for (const path of [own, other]) mkdirSync(path, { recursive: true, mode: 0o755 });
  for (const path of [folder, own]) chmodSync(path, 0o755);
  const script = `import { whyReadOnly } from ${JSON.stringify(join(import.meta.dirname, 'server-command.ts'))};
    console.log(JSON.stringify(whyReadOnly('${own}/catalogue.yaml', '${folder}')));`;
  chownSync(own, 1, 1);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', script],
    { uid: 65_534, gid: 65_534, encoding: 'utf8', cwd: '/' },
  );
  assert.ok(stdout, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    problem: 'own belongs to the user daemon, and the product runs as nobody.',
    command: `cd ${folder} && sudo -u daemon npm run catalogue --`,
  });
});
