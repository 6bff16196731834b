/** `npm run admin`: more than one administrator, added and removed while the product runs or is stopped. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TOTP, URI } from 'otpauth';
import encodeQR from 'qr';
import { readRejection } from '#contract/rejections.ts';
import { SignedInSchema } from '#contract/sign-in.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { callFunction, makeOffer, openSession, refreshStatus } from '../support/calls.ts';
import { ADMIN, type Product, PUBLIC_KEY, startProduct } from '../support/product.ts';
import {
  assertOutput,
  modeOf,
  newFolder,
  runAtTerminal,
  runTool,
  type ToolResult,
} from '../support/terminal.ts';

const SECOND = 'second@example.com';

describe('npm run admin', () => {
  let product: Product;
  let offer: string;
  before(async () => {
    assert.equal(runTool('node/commands/build-if-needed.ts', [], {}).code, 0);
    product = await startProduct();
    offer = await makeOffer(product);
  });
  after(() => product.stop());

  test('an added administrator signs in, changes an offer and is signed out when removed', async () => {
    const owner = await openSession(product);
    const password = passwordIn(admin('add', SECOND), `${SECOND} is an administrator now.`);
    const session = await signIn({ email: SECOND, password });
    assert.equal(await setStatus(session.access_token, 'accepted'), 1);
    const { text } = admin('list');
    const minute = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
    assert.match(
      text,
      new RegExp(
        `^Email +Administrator since +Last sign-in\n${ADMIN.email} +${minute}  ${minute}\n${SECOND} +${minute}  ${minute}$`,
      ),
    );

    assertOutput(admin('remove', SECOND), 0, /^second@example\.com is no administrator any more, and is/);
    assert.equal(await setStatus(session.access_token, 'rejected'), 0);
    assert.equal(await refreshStatus(product, session.refresh_token), 400);
    assert.equal((await trySigningIn({ email: SECOND, password })).status, 401);
    assert.equal(await setStatus(owner.access_token, 'pending'), 1);
    assert.equal(await refreshStatus(product, owner.refresh_token), 200);
  });

  test('a removed administrator who is added again has a new password', async () => {
    const before = passwordIn(admin('add', SECOND));
    assertOutput(admin('remove', SECOND), 0, /no administrator any more/);
    const again = passwordIn(admin('add', SECOND));
    assert.equal((await trySigningIn({ email: SECOND, password: before })).status, 401);
    await signIn({ email: SECOND, password: again });
    assertOutput(admin('add', 'Second@Example.com'), 1, /^second@example\.com is an administrator already\./);
    assertOutput(admin('remove', SECOND), 0, /no administrator any more/);
  });

  test('password generates a new one and ends the account’s sessions', async () => {
    const before = passwordIn(admin('add', SECOND));
    const { refresh_token } = await signIn({ email: SECOND, password: before });
    const result = admin('password', SECOND);
    const renewed = passwordIn(result, `${SECOND} has a new password, and is signed out.`);
    assert.equal(await refreshStatus(product, refresh_token), 400);
    assert.equal((await trySigningIn({ email: SECOND, password: before })).status, 401);
    await signIn({ email: SECOND, password: renewed });
    assertOutput(admin('remove', SECOND), 0, /no administrator any more/);
  });

  test('passwords of several administrators wait in files of their own', async () => {
    const files = ['a@example.com', 'b@example.com'].map((email) => fileIn(admin('add', email)));
    assert.deepEqual(
      files.map((file) => file.replace(product.dataDir, '')),
      ['/admin-password.txt', '/admin-password-2.txt'],
    );
    for (const [index, email] of ['a@example.com', 'b@example.com'].entries()) {
      const password = readFileSync(files[index] ?? '', 'utf8').trim();
      rmSync(files[index] ?? '');
      await signIn({ email, password });
      assertOutput(admin('remove', email), 0, /no administrator any more/);
    }
  });

  test('the file of a password that was renewed, or of a removed administrator, is removed', async () => {
    const hosted = join(product.dataDir, 'admin-password.txt');
    writeFileSync(hosted, 'password of an account in a hosted project\n');
    const other = fileIn(admin('add', 'a@example.com'));
    const [first, second] = [admin('add', SECOND), admin('password', SECOND)].map(fileIn);
    assert.ok(first && second && other);
    assert.equal(second, first, 'the name is free again');
    await signIn({ email: SECOND, password: readFileSync(second, 'utf8').trim() });
    assert.ok(existsSync(other), 'the password of another administrator stays');
    assertOutput(admin('remove', SECOND), 0, /no administrator any more/);
    assert.ok(!existsSync(second));
    assert.ok(existsSync(other));
    assertOutput(admin('remove', 'a@example.com'), 0, /no administrator any more/);
    assert.ok(!existsSync(other));
    assert.ok(existsSync(hosted), 'a file of unknown origin stays');
    rmSync(hosted);
  });

  test('factor enrols at a terminal, and a restore without the factor asks first', async () => {
    const password = passwordIn(admin('add', SECOND));
    const backups = newFolder();
    assert.equal(command('backup', ['--keep', '2', backups]).code, 0);
    assertOutput(
      admin('factor', SECOND),
      1,
      /^Nothing was changed: a second factor is enrolled at a terminal, .+ Run this in one\.$/,
    );
    let totp = new TOTP();
    const enrol = (code: () => string) =>
      runAtTerminal(
        'node/commands/admin.ts',
        ['factor', SECOND],
        { DATA_DIR: product.dataDir },
        {
          prompt: 'The code that it shows: ',
          respond: (output) => {
            totp = URI.parse(/^otpauth:\S+$/m.exec(output)?.[0] ?? '') as TOTP;
            return code();
          },
        },
      );
    const wrong = await enrol(() => totp.generate({ timestamp: 0 }));
    assert.equal(wrong.code, 1);
    assert.match(wrong.text, /^The second factor was not enrolled: This code is not valid\./m);
    const session = await signIn({ email: SECOND, password });
    assert.equal(await setStatus(session.access_token, 'accepted'), 1);

    const enrolled = await enrol(() => totp.generate());
    assert.equal(enrolled.code, 0, enrolled.text);
    const qrCode = encodeQR(URI.stringify(totp), 'ascii', { ecc: 'low' });
    assert.ok(enrolled.text.includes(qrCode.trim()), 'the QR code of the URL');
    assert.ok(
      qrCode.split('\n').every((line) => line.length <= 80),
      'fits a terminal of 80 columns',
    );
    assert.equal(enrolled.text.match(/^ {2}(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/gm)?.length, 10);
    assert.equal(await setStatus(session.access_token, 'rejected'), 0);
    assert.match(admin('list').text, new RegExp(`Second factor\n${ADMIN.email} .+ no\n${SECOND} .+ yes$`));
    assertOutput(admin('factor', SECOND), 1, /at a terminal/);
    const again = await enrol(() => '');
    assert.match(again.text, /^second@example\.com has a second factor already\. Remove it first: /);

    const rejected = await trySigningIn({ email: SECOND, password });
    assert.equal(rejected.status, 401);
    const { error, code: reason } = readRejection(await rejected.json());
    assert.equal(`${reason}: ${error}`, 'code_required: Enter the code from your authenticator app.');
    // The present code is used up by the enrolment.
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    await signIn({ email: SECOND, password, code });
    const used = await trySigningIn({ email: SECOND, password, code });
    assert.equal(readRejection(await used.json()).code, 'wrong_code');

    const dated = readdirSync(backups).find((name) => name.endsWith('.backup')) ?? '';
    const restore = (dataDir: string, ...args: string[]) =>
      runTool('node/commands/restore.ts', [join(backups, dated), ...args], { DATA_DIR: dataDir });
    const restored = newFolder();
    const asked = restore(restored);
    assert.equal(asked.code, 1);
    assert.match(
      asked.text,
      /^The backup lacks the second factor of second@example\.com: the password alone signs in, .+\n+Nothing was restored, .+ add --yes\.$/,
    );
    assert.ok(!existsSync(join(restored, 'database')));
    assert.match(restore(restored, '--yes').text, /^The backup lacks .+\nRestored 1 offer to /);
    assert.equal(command('backup', ['--keep', '1', backups]).code, 0);
    const [complete = ''] = readdirSync(backups).filter((name) => name.endsWith('.backup'));
    const present = runTool('node/commands/restore.ts', [join(backups, complete)], { DATA_DIR: newFolder() });
    assert.match(present.text, /^Restored 1 offer to /);

    assertOutput(
      admin('factor', SECOND, '--remove'),
      0,
      /^second@example\.com has no second factor any more, and is signed out\.$/,
    );
    assertOutput(admin('factor', SECOND, '--remove'), 1, /^second@example\.com has no second factor\./);
    await signIn({ email: SECOND, password });
    // Its note is removed, too, also beside the backups.
    assert.equal(command('backup', ['--keep', '1', backups]).code, 0);
    const [without = ''] = readdirSync(backups).filter((name) => name.endsWith('.backup'));
    const unasked = runTool('node/commands/restore.ts', [join(backups, without)], { DATA_DIR: newFolder() });
    assert.match(unasked.text, /^Restored 1 offer to /);
    assertOutput(admin('remove', SECOND), 0, /no administrator any more/);
  });

  test('the last administrator, and one that the settings name, are not removed', () => {
    assertOutput(
      admin('remove', ADMIN.email),
      1,
      /^owner@example\.com is the last administrator\. Add another/,
    );
    rmSync(fileIn(admin('add', SECOND)));
    const named = { ADMIN_EMAIL: 'Second@example.com' };
    assertOutput(
      adminWith(named, 'remove', SECOND),
      1,
      /^ADMIN_EMAIL names second@example\.com, who would be an administrator again after the next start or npm run deploy:backend\. Set ADMIN_EMAIL/,
    );
    assertOutput(
      adminWith({ ADMIN_PASSWORD: ADMIN.password }, 'remove', ADMIN.email),
      1,
      /^ADMIN_PASSWORD, which owner@example\.com may know, would be the password of second@example\.com after/,
    );
    for (const [env, email] of [
      [{ ADMIN_PASSWORD: ADMIN.password }, ADMIN.email],
      [{ ADMIN_PASSWORD: ADMIN.password, ...named }, SECOND],
    ] as const) {
      assertOutput(adminWith(env, 'password', email), 1, /^ADMIN_PASSWORD sets the password of \S+ at each/);
    }
    assertOutput(
      admin('password', ADMIN.email.toUpperCase()),
      1,
      /^The running product was started with ADMIN_PASSWORD, .* Change it where the product is started, /,
    );
    assertOutput(admin('remove', SECOND), 0, /no administrator any more/);
  });

  test('the commands work while the product is stopped, and a start lists several administrators', async () => {
    const dataDir = newDataFolder();
    const run = (...args: string[]) => runTool('node/commands/admin.ts', args, { DATA_DIR: dataDir });
    const password = passwordIn(run('add', SECOND));
    assert.match(run('list').text, new RegExp(`^${SECOND} .+ not known$`, 'm'));

    const second = await startProduct({ dataDir });
    assert.match(
      second.log(),
      /^ {2}Administrators: second@example\.com, owner@example\.com\. Remove one with npm run admin -- remove EMAIL$/m,
    );
    assert.equal((await callFunction(second, 'admin-auth', { email: SECOND, password })).status, 200);
    await second.stop();

    assertOutput(run('remove', SECOND), 0, /no administrator any more/);
    const { text } = run('list');
    assert.match(text, /^owner@example\.com /m);
    assert.doesNotMatch(text, /second@example\.com/);
    rmSync(dataDir, { recursive: true });
  });

  for (const [args, what] of [
    [[], ''],
    [['everybody'], 'There is no command "everybody". '],
    [['toString', SECOND], 'There is no command "toString". '],
    [['list', SECOND], `The argument "${SECOND}" is one too many. `],
    [['add', SECOND, '--force'], 'There is no option --force. '],
  ] as const) {
    test(`admin ${args.join(' ')} prints the usage`, () => {
      const { code, text } = admin(...args);
      assert.equal(code, 1);
      assert.equal(
        text,
        `${what}Please say what to do: npm run admin -- add EMAIL, remove EMAIL, password EMAIL (a new one), ` +
          'factor EMAIL (--remove takes it away), or list.',
      );
    });
  }

  for (const [command, given, message] of [
    ['add', [], /^Please name one email address, like this: npm run admin -- add name@example\.com$/],
    ['ad', [SECOND], /^There is no command "ad"\. Did you mean add\?$/],
    ['factor', ['--remov', SECOND], /^There is no option --remov\. Did you mean --remove\?$/],
    ['add', ['second'], /^"second" is not an email address\. Please name one email address/],
    [
      'add',
      [SECOND, 'third@example.com'],
      /^The argument "third@example\.com" is one too many\. Please name one email address/,
    ],
    [
      'remove',
      [`${'x'.repeat(250)}@example.com`],
      /^"x+@example\.com" is not an email address\. Please name one email address/,
    ],
    [
      'remove',
      ['nobody@example.com'],
      /^nobody@example\.com is no administrator\. See who is: npm run admin/,
    ],
    ['password', ['nobody@example.com'], /^nobody@example\.com is no administrator\./],
  ] as const) {
    test(`admin ${command} rejects ${given[0] ?? 'a missing email'}`, () => {
      assertOutput(admin(command, ...given), 1, message);
    });
  }

  test('the commands report a missing database, and a missing key of a hosted project', () => {
    const dataDir = newFolder();
    const hosted = {
      SUPABASE_URL: 'https://name.supabase.co',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    };
    for (const args of [['list'], ['add', SECOND]]) {
      assertOutput(
        adminWith({ DATA_DIR: dataDir }, ...args),
        1,
        /^There is no database in \S+ yet\. Start the/,
      );
      assertOutput(
        adminWith(hosted, ...args),
        1,
        /^This works on the hosted project .+: set SUPABASE_SECRET_KEY/,
      );
    }
    assert.deepEqual(readdirSync(dataDir), []);
  });

  function command(name: string, args: string[]): ToolResult {
    return runTool(`node/commands/${name}.ts`, args, { DATA_DIR: product.dataDir });
  }

  function admin(...args: string[]): ToolResult {
    return adminWith({}, ...args);
  }

  function adminWith(env: Record<string, string>, ...args: string[]): ToolResult {
    return runTool('node/commands/admin.ts', args, { DATA_DIR: product.dataDir, ...env });
  }

  /** The file in which a result says that the password is: this process is no terminal. */
  function fileIn({ code, text }: ToolResult): string {
    assert.equal(code, 0, text);
    const file = /^ {2}password: in (\S+)\. Remove the file once you know it\.$/m.exec(text)?.[1] ?? '';
    assert.ok(existsSync(file), text);
    assert.equal(modeOf(file), '600');
    return file;
  }

  /** Reads the password and removes its file. */
  function passwordIn(result: ToolResult, firstLine?: string): string {
    const file = fileIn(result);
    const password = readFileSync(file, 'utf8').trim();
    rmSync(file);
    assert.ok(!result.text.includes(password));
    if (firstLine !== undefined) assert.equal(result.text.split('\n')[0], firstLine);
    assert.match(result.text, /^ {2}For another one run: npm run admin -- password second@example\.com$/m);
    return password;
  }

  function trySigningIn(credentials: { email: string; password: string; code?: string }): Promise<Response> {
    return callFunction(product, 'admin-auth', credentials);
  }

  async function signIn(credentials: { email: string; password: string; code?: string }) {
    const response = await trySigningIn(credentials);
    assert.equal(response.status, 200);
    return SignedInSchema.parse(await response.json()).session;
  }

  /** Changes the status of the offer as the dashboard does. Returns how many offers changed: none without the rights. */
  async function setStatus(accessToken: string, status: string): Promise<number> {
    const response = await fetch(`${product.origin}/rest/v1/offers?id=eq.${offer}&select=id`, {
      method: 'PATCH',
      headers: {
        apikey: PUBLIC_KEY,
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      body: JSON.stringify({ status }),
    });
    return ((await response.json()) as unknown[]).length;
  }
});
