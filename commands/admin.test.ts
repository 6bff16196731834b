/** `npm run admin` on the embedded database: passwords in files, what the settings name, and second factors. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TOTP, URI } from 'otpauth';
import encodeQR from 'qr';
import {
  callAuth,
  leadTo,
  makeAdministrator,
  openBooted,
  serveDatabase,
} from '../server/embedded/booted-database.fixture.ts';
import type { OpenDatabase } from '../server/embedded/open-database.ts';
import { runCommand } from '../tests/support/run-command.ts';
import { assertOutput, modeOf, type ToolResult } from '../tests/support/terminal.ts';
import { run as admin } from './admin.ts';
import { rememberBackupFolder } from './backup/backup-erasures.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const SECOND = 'second@example.com';

const dataDir = mkdtempSync(join(tmpdir(), 'admin-'));
let database: OpenDatabase;
let served: Awaited<ReturnType<typeof serveDatabase>>;
before(async () => {
  database = await openBooted();
  served = await serveDatabase(database, dataDir);
  // As a start with ADMIN_PASSWORD does.
  leadTo(dataDir, OWNER.email);
  await makeAdministrator(database, OWNER);
});
after(async () => {
  await served.close();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

test('passwords of several administrators wait in files of their own', async () => {
  const emails = ['a@example.com', 'b@example.com'];
  const files: string[] = [];
  for (const email of emails) files.push(fileIn(await run('add', email)));
  assert.deepEqual(
    files.map((file) => file.replace(dataDir, '')),
    ['/admin-password.txt', '/admin-password-2.txt'],
  );
  for (const [index, email] of emails.entries()) {
    const file: string = files[index] ?? '';
    assert.equal(await signsIn(email, readFileSync(file, 'utf8').trim()), true);
    rmSync(file);
    assertOutput(await run('remove', email), 0, /no administrator any more/);
  }
});

test('a password is printed on a terminal alone', async () => {
  const { text } = await runCommand(admin, ['add', SECOND], { env: { DATA_DIR: dataDir }, typed: () => '' });
  const [, password = ''] = /^ {2}password: (\S+)\n {2}This password is shown once/m.exec(text) ?? [];
  assert.equal(await signsIn(SECOND, password), true);
  assertOutput(await run('remove', SECOND), 0, /no administrator any more/);
});

test('the file of a password that was renewed, or of a removed administrator, is removed', async () => {
  const hosted = join(dataDir, 'admin-password.txt');
  writeFileSync(hosted, 'password of an account in a hosted project\n');
  const other = fileIn(await run('add', 'a@example.com'));
  const first = fileIn(await run('add', SECOND));
  const second = fileIn(await run('password', SECOND));
  assert.equal(second, first, 'the name is free again');
  assert.equal(await signsIn(SECOND, readFileSync(second, 'utf8').trim()), true);
  assert.ok(existsSync(other), 'the password of another administrator stays');
  assertOutput(await run('remove', SECOND), 0, /no administrator any more/);
  assert.ok(!existsSync(second));
  assert.ok(existsSync(other));
  assertOutput(await run('remove', 'a@example.com'), 0, /no administrator any more/);
  assert.ok(!existsSync(other));
  assert.ok(existsSync(hosted), 'a file of unknown origin stays');
  rmSync(hosted);
});

test('the last administrator, and one that the settings name, are not removed', async () => {
  assertOutput(
    await run('remove', OWNER.email),
    1,
    /^owner@example\.com is the last administrator\. Add another/,
  );
  rmSync(fileIn(await run('add', SECOND)));
  const named = { ADMIN_EMAIL: 'Second@example.com' };
  assertOutput(
    await runWith(named, 'remove', SECOND),
    1,
    /^ADMIN_EMAIL names second@example\.com, who would be an administrator again after the next start or npm run deploy:backend\. Set ADMIN_EMAIL/,
  );
  const { password: ADMIN_PASSWORD } = OWNER;
  assertOutput(
    await runWith({ ADMIN_PASSWORD }, 'remove', OWNER.email),
    1,
    /^ADMIN_PASSWORD, which owner@example\.com may know, would be the password of second@example\.com after/,
  );
  assertOutput(
    await run('remove', OWNER.email.toUpperCase()),
    1,
    /^The running product was started with ADMIN_PASSWORD, which \S+ may know: .+ start it again first\.$/,
  );
  for (const [env, email] of [
    [{ ADMIN_PASSWORD }, OWNER.email],
    [{ ADMIN_PASSWORD, ...named }, SECOND],
  ] as const) {
    assertOutput(
      await runWith(env, 'password', email),
      1,
      /^ADMIN_PASSWORD sets the password of \S+ at each/,
    );
  }
  assertOutput(
    await run('password', OWNER.email.toUpperCase()),
    1,
    /^The running product was started with ADMIN_PASSWORD, .* Change it where the product is started, /,
  );
  assertOutput(await run('remove', SECOND), 0, /no administrator any more/);
  for (const command of ['remove', 'password']) {
    assertOutput(
      await run(command, 'nobody@example.com'),
      1,
      /^nobody@example\.com is no administrator\. See who is: npm run admin/,
    );
  }
});

test('factor enrols at a terminal, notes it beside the backups too, and --remove takes both away', async () => {
  rmSync(fileIn(await run('add', SECOND)));
  const backups = mkdtempSync(join(dataDir, 'backups-'));
  rememberBackupFolder(dataDir, backups);
  const noted = () =>
    [dataDir, backups].map((folder) => JSON.parse(readFileSync(join(folder, 'second-factors.json'), 'utf8')));
  assertOutput(
    await run('factor', SECOND),
    1,
    /^Nothing was changed: a second factor is enrolled at a terminal, .+ Run this in one\.$/,
  );
  let totp = new TOTP();
  const enrol = (code: () => string) =>
    runCommand(admin, ['factor', SECOND], {
      env: { DATA_DIR: dataDir },
      typed: (output) => {
        totp = URI.parse(/^otpauth:\S+$/m.exec(output)?.[0] ?? '') as TOTP;
        return code();
      },
    });
  const wrong = await enrol(() => totp.generate({ timestamp: 0 }));
  assert.equal(wrong.code, 1);
  assert.match(wrong.text, /^The second factor was not enrolled: This code is not valid\./m);

  const enrolled = await enrol(() => totp.generate());
  assert.equal(enrolled.code, 0, enrolled.text);
  const qrCode = encodeQR(URI.stringify(totp), 'ascii', { ecc: 'low' });
  assert.ok(enrolled.text.includes(qrCode.trim()), 'the QR code of the URL');
  assert.ok(
    qrCode.split('\n').every((line) => line.length <= 80),
    'fits a terminal of 80 columns',
  );
  assert.equal(enrolled.text.match(/^ {2}(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/gm)?.length, 10);
  assert.deepEqual(noted(), [[SECOND], [SECOND]]);
  assert.match(
    (await run('list')).text,
    new RegExp(`Second factor\n${OWNER.email} .+ no\n${SECOND} .+ yes$`),
  );
  assertOutput(await run('factor', SECOND), 1, /at a terminal/);
  const again = await enrol(() => '');
  assert.match(again.text, /^second@example\.com has a second factor already\. Remove it first: /);

  assertOutput(
    await run('factor', SECOND, '--remove'),
    0,
    /^second@example\.com has no second factor any more, and is signed out\.$/,
  );
  assert.deepEqual(noted(), [[], []], 'a restore asks about it no more');
  assertOutput(await run('factor', SECOND, '--remove'), 1, /^second@example\.com has no second factor\./);

  // It is enrolled by then: without the codes its owner would be locked out.
  const file = join(dataDir, 'second-factors.json');
  rmSync(file);
  mkdirSync(file);
  const unnoted = await enrol(() => totp.generate());
  rmSync(file, { recursive: true });
  assert.equal(unnoted.code, 0, unnoted.text);
  assert.equal(unnoted.text.match(/^ {2}(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/gm)?.length, 10);
  assert.match(
    unnoted.text,
    /^second-factors\.json could not be written \(.+\): npm run restore may not report/m,
  );
  assertOutput(await run('remove', SECOND), 0, /no administrator any more/);
});

function run(...args: string[]): Promise<ToolResult> {
  return runWith({}, ...args);
}

function runWith(env: Record<string, string>, ...args: string[]): Promise<ToolResult> {
  return runCommand(admin, args, { env: { DATA_DIR: dataDir, ...env } });
}

/** The file in which a result says that the password is: it is printed on a terminal alone. */
function fileIn({ code, text }: ToolResult): string {
  assert.equal(code, 0, text);
  const file = /^ {2}password: in (\S+)\. Remove the file once you know it\.$/m.exec(text)?.[1] ?? '';
  assert.equal(modeOf(file), '600');
  assert.ok(!text.includes(readFileSync(file, 'utf8').trim()));
  assert.match(text, /^ {2}For another one run: npm run admin -- password \S+$/m);
  return file;
}

async function signsIn(email: string, password: string): Promise<boolean> {
  return (await callAuth(database, 'token?grant_type=password', { email, password })).ok;
}
