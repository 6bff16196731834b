/** Units of systemd that were installed with a version before, in folders of the test's own. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkUnits } from './units.ts';

const DEPLOY = 'docs/deploy';

function newFolders(context: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'units-'));
  context.after(() => rmSync(root, { recursive: true }));
  const [units, project] = [join(root, 'system'), join(root, 'my shop')];
  for (const folder of [units, project]) mkdirSync(folder);
  const installed = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
  return {
    units,
    project,
    /** Installs a unit of docs/deploy for a clone, as the version before had it. */
    installOld(name: string, clone = project) {
      const old = installed(name).replace(' commands/', ' node/commands/');
      assert.match(old, /^ExecStart=.* node\/commands\/(?:start|backup)\.ts/m);
      writeFileSync(join(units, name), old.replaceAll('/opt/domain-storefront', clone));
    },
  };
}

test('a unit of version 0.2 is named with its file and the line to write', (context) => {
  const { units, project, installOld } = newFolders(context);
  for (const name of ['domain-storefront.service', 'domain-storefront-backup.service']) installOld(name);
  const found = (name: string, file: string, args = '') => ({
    status: 'warn',
    check: 'units',
    subject: name,
    message:
      `It runs node/commands/${file}, which goes with version 0.4. Write this in ${join(units, name)}, then run systemctl ` +
      `daemon-reload: ExecStart=${project}/node_modules/.bin/node --disable-warning=ExperimentalWarning commands/${file}${args}`,
  });
  assert.deepEqual(checkUnits(project, [units]), [
    found('domain-storefront-backup.service', 'backup.ts', ' --keep 14 /var/backups/domain-storefront'),
    found('domain-storefront.service', 'start.ts'),
  ]);
});

test('nothing is reported of the units of this version, of another clone or product, and without systemd', (context) => {
  const { units, project, installOld } = newFolders(context);
  assert.deepEqual(checkUnits(project, [join(units, 'missing')]), []);
  installOld('domain-storefront.service', `${project}-2`);
  writeFileSync(
    join(units, 'other.service'),
    `[Service]\nWorkingDirectory=${project}\nExecStart=/usr/bin/other\n`,
  );
  for (const name of ['domain-storefront-backup.service', 'domain-storefront-backup.timer'])
    copyFileSync(join(DEPLOY, name), join(units, name));
  const installed = readFileSync(join(units, 'domain-storefront-backup.service'), 'utf8');
  const here = installed.replaceAll('/opt/domain-storefront', project);
  writeFileSync(
    join(units, 'domain-storefront-backup.service'),
    `${here}# Before: node node/commands/backup.ts\n`,
  );
  assert.deepEqual(checkUnits(project, [units]), []);
});

test('a unit that reaches the clone over a link is found, also by a full path', (context) => {
  const { units, project, installOld } = newFolders(context);
  symlinkSync(project, `${project}-live`);
  installOld('domain-storefront.service', `${project}-live`);
  const lines = ['[Service]', `ExecStart="/usr/bin/node" "${project}-live/node/commands/backup.ts" a.backup`];
  writeFileSync(join(units, 'nightly.service'), lines.join('\n'));
  const found = checkUnits(project, [units]);
  assert.deepEqual(
    found.map(({ subject }) => subject),
    ['domain-storefront.service', 'nightly.service'],
  );
  assert.match(
    found[1]?.message ?? '',
    /: ExecStart="\/usr\/bin\/node" "\S+ shop-live\/commands\/backup\.ts" a\.backup$/,
  );
});

test('what systemctl edit wrote beside a unit counts, not the line that it replaces', (context) => {
  const { units, project, installOld } = newFolders(context);
  installOld('domain-storefront.service');
  const edits = join(units, 'domain-storefront.service.d');
  mkdirSync(edits);
  const edit = (file: string) =>
    writeFileSync(join(edits, 'override.conf'), `[Service]\nExecStart=\nExecStart=/usr/bin/node ${file}\n`);
  edit('commands/start.ts');
  assert.deepEqual(checkUnits(project, [units]), []);
  edit('node/commands/start.ts');
  assert.match(
    checkUnits(project, [units])[0]?.message ?? '',
    /reload: ExecStart=\/usr\/bin\/node commands\/start\.ts$/,
  );
});
