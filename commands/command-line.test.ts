/** The commands' arguments, and what they report before they do anything. Each command is started once as a process. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Run } from '../process/command.ts';
import { runCommand } from '../tests/support/run-command.ts';
import { assertOutput, newFolder, runTool } from '../tests/support/terminal.ts';
import { run as admin } from './admin.ts';
import { run as backup } from './backup.ts';
import { run as build } from './build.ts';
import { run as catalogue } from './catalogue.ts';
import { run as deployBackend } from './deploy-backend.ts';
import { run as deployWorker } from './deploy-worker.ts';
import { run as doctor } from './doctor.ts';
import { run as erase } from './erase.ts';
import { run as exportOffers } from './export.ts';
import { run as messages } from './messages.ts';
import { run as migration } from './migration.ts';
import { run as purge } from './purge.ts';
import { run as restore } from './restore.ts';
import { run as seed } from './seed.ts';
import { run as transfer } from './transfer.ts';

/** By the names of their files. */
const COMMANDS: Record<string, Run> = {
  admin,
  backup,
  build,
  catalogue,
  'deploy-backend': deployBackend,
  'deploy-worker': deployWorker,
  doctor,
  erase,
  export: exportOffers,
  messages,
  migration,
  purge,
  restore,
  seed,
  transfer,
};
const SECOND = 'second@example.com';
const HOSTED = { SUPABASE_URL: 'https://name.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' };

for (const [name, args, message, code = 1] of [
  ['seed', [], /^Please say how many, from 1 to 1,000,000, like this: npm run seed -- --offers 1000$/],
  ['seed', ['--offers', 'many'], /^--offers is "many"\. Please say how many/],
  ['seed', ['--offers', '0'], /^--offers is "0"\. Please say how many/],
  ['seed', ['--offers', '1000001'], /^--offers is "1000001"\. Please say how many/],
  ['seed', ['--rows', '5'], /^There is no option --rows\. Please say how many/],
  ['purge', ['--older-then', '24months'], /^There is no option --older-then\. Did you mean --older-than\?$/],
  ['purge', ['--older-than', '24'], /^--older-than is "24"\. Please give an age/],
  ['transfer', ['--to', 'hostd'], /^--to is "hostd"\. Please say where to: npm run transfer -- --to hosted$/],
  ['doctor', ['--nmae', 'lap.app'], /^There is no option --nmae\. Did you mean --name\?$/, 2],
  ['doctor', ['--name', 'lapp.app'], /^lapp\.app is neither in the catalogue .* Did you mean lap\.app\?$/, 2],
  ['migration', [], /^Please name what changes, in lower case with underscores/],
  ['migration', ['one', 'two'], /^The argument "two" is one too many\. Please name what changes/],
  ['messages', ['tset'], /^There is no command "tset"\. Did you mean test\?$/],
  [
    'messages',
    ['test', 'now'],
    /^The argument "now" is one too many\. The command test takes no arguments\.$/,
  ],
  ['deploy-backend', ['--chek'], /^There is no option --chek\. Did you mean --check\?$/],
  ['deploy-worker', ['--dry-rum'], /^There is no option --dry-rum\. Did you mean --dry-run\?$/],
  ['erase', [], /^Please name one email address, like this: npm run erase -- name@example\.com$/],
  ['erase', ['everybody'], /^"everybody" is not an email address\. Please name one email address/],
  ['erase', ['--ye', 'a@example.com'], /^"--ye" is not an email address\. Please name one email address/],
  ['erase', ['--yes'], /^Please name one email address/],
  [
    'erase',
    ['a@example.com', 'b@example.com'],
    /^The argument "b@example\.com" is one too many\. Please name one email address/,
  ],
  ['backup', [], /^Please name one file, like this: npm run backup -- offers\.backup$/],
  ['backup', ['a.backup', 'b.backup'], /^The argument "b\.backup" is one too many\. Please name one file/],
  ['backup', ['--kep', '14', 'backups'], /^There is no option --kep\. Did you mean --keep\?$/],
  ['backup', ['/nowhere/offers.backup'], /^There is no folder \/nowhere\.$/],
  ['backup', ['offers.tgz'], /^The file’s name must end in \.backup/],
  ['restore', ['offers.backup', '--ye'], /^There is no option --ye\. Did you mean --yes\?$/],
  ['restore', ['/tmp/nothing.backup'], /^There is no file \/tmp\/nothing\.backup\.$/],
  ['export', ['offers.xlsx'], /must end in \.csv or \.json/],
  ['export', ['offers.csv', '--separator', '|'], /^--separator is "\|"\. Please write --separator ";" or /],
  [
    'export',
    ['offers.json', '--separator', ';'],
    /^The option --separator is for files that end in \.csv\.$/,
  ],
  ['admin', ['ad', SECOND], /^There is no command "ad"\. Did you mean add\?$/],
  ['admin', ['factor', '--remov', SECOND], /^There is no option --remov\. Did you mean --remove\?$/],
  ['admin', ['add'], /^Please name one email address, like this: npm run admin -- add name@example\.com$/],
  ['admin', ['add', 'second'], /^"second" is not an email address\. Please name one email address/],
  [
    'admin',
    ['add', SECOND, 'third@example.com'],
    /^The argument "third@example\.com" is one too many\. Please name one email address/,
  ],
  [
    'admin',
    ['remove', `${'x'.repeat(250)}@example.com`],
    /^"x+@example\.com" is not an email address\. Please name one email address/,
  ],
] as readonly [string, readonly string[], RegExp, number?][]) {
  test(`${[name, ...args].join(' ').slice(0, 60)} prints what was wrong, and the correct usage`, async () => {
    assertOutput(await run(name, args, { DATA_DIR: newFolder() }), code, message);
  });
}

for (const [args, what] of [
  [[], ''],
  [['everybody'], 'There is no command "everybody". '],
  [['toString', SECOND], 'There is no command "toString". '],
  [['list', SECOND], `The argument "${SECOND}" is one too many. `],
  [['add', SECOND, '--force'], 'There is no option --force. '],
] as const) {
  test(`admin ${args.join(' ')} prints the usage`, async () => {
    assert.deepEqual(await run('admin', args, { DATA_DIR: newFolder() }), {
      code: 1,
      text:
        `${what}Please say what to do: npm run admin -- add EMAIL, remove EMAIL, password EMAIL (a new one), ` +
        'factor EMAIL (--remove takes it away), or list.',
    });
  });
}

/** Every command, and the programs that are no functions. */
for (const [file, args, message, code = 1] of [
  [
    'commands/start.ts',
    ['--port', '5000'],
    /^There is no option --port\. npm start takes no option but --watch .*; set the port with PORT=5000 npm start\.$/,
  ],
  [
    'commands/start.ts',
    ['5000'],
    /^The argument "5000" is one too many\. npm start takes no option but --watch/,
  ],
  [
    'commands/dev.ts',
    ['--port', '5000'],
    /^There is no option --port\. npm run dev takes no options; set the port with PORT=5000/,
  ],
  [
    'commands/build.ts',
    ['--nope'],
    /^There is no option --nope\. npm run build takes no options; what it builds is set in \.env/,
  ],
  [
    'tests/shots/shots.ts',
    ['--nope'],
    /^There is no option --nope\. npm run shots takes no option but --readme, for the pictures of the README\.$/,
  ],
  [
    'bench/run.ts',
    ['--nope'],
    /^There is no option --nope\. Please choose from: page, .* npm run bench -- build --domains 2000$/,
  ],
  ['bench/run.ts', ['pages'], /^Please choose from: page, /],
  [
    'commands/demo.ts',
    ['--nope'],
    /^There is no option --nope\. npm run demo takes no options; set the port with PORT=5000 npm run demo\.$/,
  ],
  ['commands/admin.ts', ['ad'], /^There is no command "ad"\. Did you mean add\?$/],
  ['commands/backup.ts', [], /^Please name one file, like this: npm run backup -- offers\.backup$/],
  ['commands/catalogue.ts', ['soled'], /^There is no command "soled"\. Did you mean sold\?$/],
  ['commands/deploy-backend.ts', ['--chek'], /^There is no option --chek\. Did you mean --check\?$/],
  ['commands/deploy-worker.ts', ['--dry-rum'], /^There is no option --dry-rum\. Did you mean --dry-run\?$/],
  ['commands/doctor.ts', ['--nmae', 'lap.app'], /^There is no option --nmae\. Did you mean --name\?$/, 2],
  ['commands/erase.ts', ['everybody'], /^"everybody" is not an email address\. /],
  ['commands/export.ts', ['offers.xlsx'], /must end in \.csv or \.json/],
  ['commands/messages.ts', ['tset'], /^There is no command "tset"\. Did you mean test\?$/],
  ['commands/migration.ts', [], /^Please name what changes, in lower case with underscores/],
  ['commands/transfer.ts', ['--to', 'hostd'], /^--to is "hostd"\. Please say where to: /],
  ['commands/purge.ts', ['--older-than', '24'], /^--older-than is "24"\. Please give an age/],
  ['commands/restore.ts', ['offers.backup', '--ye'], /^There is no option --ye\. Did you mean --yes\?$/],
  ['commands/seed.ts', ['--offers', 'many'], /^--offers is "many"\. Please say how many/],
] as readonly [string, readonly string[], RegExp, number?][]) {
  test(`${file} ${args.join(' ')} ends as a process`, () => {
    assertOutput(runTool(file, args, { DATA_DIR: newFolder() }), code, message);
  });
}

test('the commands leave a local data folder alone when a hosted project is set', async () => {
  const folder = newFolder();
  const data = join(folder, 'data');
  const file = join(folder, 'present.backup');
  writeFileSync(file, '');
  for (const [name, ...args] of [
    ['backup', join(folder, 'new.backup')],
    ['backup', '--keep', '1', folder],
    ['export', join(folder, 'offers.csv')],
    ['erase', 'x@example.com'],
    ['seed', '--offers', '1'],
    ['restore', file],
    ['admin', 'list'],
    ['admin', 'add', SECOND],
  ] as const) {
    assertOutput(
      await run(name, args, { ...HOSTED, DATA_DIR: data }),
      1,
      ['export', 'erase', 'admin'].includes(name)
        ? /^This works on the hosted project \S+: set SUPABASE_SECRET_KEY/
        : /^The offers are in the hosted project/,
    );
  }
  assert.deepEqual(readdirSync(folder), ['present.backup']);
});

test('the commands report a missing database', async () => {
  const folder = newFolder();
  for (const [name, ...args] of [
    ['backup', join(folder, 'a.backup')],
    ['export', join(folder, 'a.csv')],
    ['erase', 'a@example.com'],
    ['admin', 'list'],
    ['admin', 'add', SECOND],
  ] as const) {
    assertOutput(
      await run(name, args, { DATA_DIR: folder }),
      1,
      /^There is no database in \S+ yet\. Start the product once with npm start\.$/,
    );
  }
  assert.deepEqual(readdirSync(folder), []);
});

function run(name: string, args: readonly string[], env: Record<string, string>) {
  const command = COMMANDS[name];
  assert.ok(command, name);
  return runCommand(command, args, { env });
}
