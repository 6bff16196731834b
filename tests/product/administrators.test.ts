/** `npm run admin` beside the running product: administrators who sign in through it, are signed out, and have a factor. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { TOTP, URI } from 'otpauth';
import { readRejection } from '#contract/rejections.ts';
import { SignedInSchema } from '#contract/sign-in.ts';
import { run as admin } from '../../commands/admin.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { callFunction, makeOffer, openSession, refreshStatus } from '../support/calls.ts';
import { ADMIN, type Product, PUBLIC_KEY, startProduct } from '../support/product.ts';
import { runCommand } from '../support/run-command.ts';
import { assertOutput, modeOf, runAtTerminal, type ToolResult } from '../support/terminal.ts';

const SECOND = 'second@example.com';
const THIRD = 'third@example.com';

describe('npm run admin', () => {
  const dataDir = newDataFolder();
  let product: Product;
  let offer: string;
  let password: string;
  before(async () => {
    // While the product is stopped.
    password = passwordIn(SECOND, await run('add', SECOND), `${SECOND} is an administrator now.`);
    assert.match((await run('list')).text, new RegExp(`^${SECOND} .+ not known$`, 'm'));
    product = await startProduct({ dataDir });
    offer = await makeOffer(product);
  });
  after(async () => {
    await product.stop();
    rmSync(dataDir, { recursive: true });
  });

  test('an added administrator signs in, changes an offer and is signed out when removed', async () => {
    assert.match(
      product.log(),
      /^ {2}Administrators: second@example\.com, owner@example\.com\. Remove one with npm run admin -- remove EMAIL$/m,
    );
    const owner = await openSession(product);
    const session = await signIn({ email: SECOND, password });
    assert.equal(await setStatus(session.access_token, 'accepted'), 1);
    const { text } = await run('list');
    const minute = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
    assert.match(
      text,
      new RegExp(
        `^Email +Administrator since +Last sign-in\n${SECOND} +${minute}  ${minute}\n${ADMIN.email} +${minute}  ${minute}$`,
      ),
    );

    const renewed = passwordIn(
      SECOND,
      await run('password', SECOND),
      `${SECOND} has a new password, and is signed out.`,
    );
    assert.equal(await refreshStatus(product, session.refresh_token), 400);
    assert.equal((await trySigningIn({ email: SECOND, password })).status, 401);
    const other = await signIn({ email: SECOND, password: renewed });

    assertOutput(await run('remove', SECOND), 0, /^second@example\.com is no administrator any more, and is/);
    assert.equal(await setStatus(other.access_token, 'rejected'), 0);
    assert.equal(await refreshStatus(product, other.refresh_token), 400);
    assert.equal((await trySigningIn({ email: SECOND, password: renewed })).status, 401);
    assert.equal(await setStatus(owner.access_token, 'pending'), 1);
    assert.equal(await refreshStatus(product, owner.refresh_token), 200);

    assertOutput(
      await run('password', ADMIN.email),
      1,
      /^The running product was started with ADMIN_PASSWORD, .* Change it where the product is started, /,
    );
  });

  test('a factor that is enrolled at a terminal signs out, and the sign-in demands its code', async (t) => {
    t.after(() => run('remove', THIRD));
    const password = passwordIn(THIRD, await run('add', THIRD));
    const session = await signIn({ email: THIRD, password });
    let totp = new TOTP();
    const enrolled = await runAtTerminal(
      'commands/admin.ts',
      ['factor', THIRD],
      { DATA_DIR: dataDir },
      {
        prompt: 'The code that it shows: ',
        respond: (output) => {
          totp = URI.parse(/^otpauth:\S+$/m.exec(output)?.[0] ?? '') as TOTP;
          return totp.generate();
        },
      },
    );
    assert.equal(enrolled.code, 0, enrolled.text);
    assert.equal(await setStatus(session.access_token, 'rejected'), 0);

    const rejected = await trySigningIn({ email: THIRD, password });
    assert.equal(rejected.status, 401);
    const { error, code: reason } = readRejection(await rejected.json());
    assert.equal(`${reason}: ${error}`, 'code_required: Enter the code from your authenticator app.');
    // The present code is used up by the enrolment.
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    await signIn({ email: THIRD, password, code });
    const used = await trySigningIn({ email: THIRD, password, code });
    assert.equal(readRejection(await used.json()).code, 'wrong_code');

    assertOutput(
      await run('factor', THIRD, '--remove'),
      0,
      /^third@example\.com has no second factor any more, and is signed out\.$/,
    );
    await signIn({ email: THIRD, password });
  });

  function run(...args: string[]): Promise<ToolResult> {
    return runCommand(admin, args, { env: { DATA_DIR: dataDir } });
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
  function passwordIn(email: string, result: ToolResult, firstLine?: string): string {
    const file = fileIn(result);
    const password = readFileSync(file, 'utf8').trim();
    rmSync(file);
    assert.ok(!result.text.includes(password));
    if (firstLine !== undefined) assert.equal(result.text.split('\n')[0], firstLine);
    const hint = `  For another one run: npm run admin -- password ${email}`;
    assert.ok(result.text.split('\n').includes(hint), result.text);
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
