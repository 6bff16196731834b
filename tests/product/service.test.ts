/** The systemd units of docs/deploy, checked by systemd's own program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../support/terminal.ts';

/** The folder of the clone in the units. */
const CLONE = '/opt/domain-storefront';
const UNITS = [
  'domain-storefront.service',
  'domain-storefront.socket',
  'domain-storefront-backup.service',
  'domain-storefront-backup.timer',
];
/** Tenths: 10 is the least exposure that systemd calls OK, 100 the most. */
const MAX_EXPOSURE_TENTHS = 30;

test('systemd finds no problem in the units, and the service is exposed little', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    return context.skip('systemd-analyze is not installed');
  }
  const folder = newFolder();
  mkdirSync(join(folder, 'units'));
  const files = UNITS.map((name) => {
    const file = join(folder, 'units', name);
    // systemd looks whether the program is there.
    writeFileSync(file, readFileSync(join('docs/deploy', name), 'utf8').replaceAll(CLONE, process.cwd()));
    return file;
  });
  assert.deepEqual(analyze('verify', '--man=no', ...files), { status: 0, output: '' });
  const [service = ''] = files;
  const limit = `--threshold=${MAX_EXPOSURE_TENTHS}`;
  const { status, output } = analyze('security', '--offline=true', '--no-pager', limit, service);
  assert.equal(status, 0, output);
  const unit = readFileSync(service, 'utf8');
  assert.match(unit, /^KillMode=mixed$/m, 'the server ends the other processes');
});

function analyze(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}
