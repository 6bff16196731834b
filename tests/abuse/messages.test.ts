/** Messages about offers while mail servers and webhooks fail and the product or its thread ends; hostile texts. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { BASE_ENV } from '../support/base-environment.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { freePort } from '../support/free-port.ts';
import { jsonOf } from '../support/http-client.ts';
import { type AbusedProduct, type AbuseOptions, startAbused } from './abused-product.ts';
import { assertHookText, assertNoInjection } from './assert-no-injection.ts';
import { assertStoredOnce } from './assert-stored-once.ts';
import { dataKeys } from './data-keys.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { killPart, type Part } from './kill-part.ts';
import { assertNoSecrets, PLANTED_OFFER, secretsOf } from './leaks.ts';
import {
  type Attempt,
  type Fate,
  type MessageServers,
  REDIRECTED,
  startMessageServers,
} from './message-servers.ts';
import { startOwner } from './owner.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { roomInWindow } from './room-in-window.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { waitForExit } from './start-process.ts';
import { type MessageState, passTenMinutes, readMessages, retryMessages } from './stored-messages.ts';
import { startVisitors } from './visitors.ts';

const MAIL_FROM = 'Offers <offers@mail.example>';
/** Every address of the owner's; no log may hold it. */
const OWNERS_HOST = 'owners-mail.example';
const PASSWORD = 'right password 7f3a';
const WRONG_PASSWORD = 'wrong password 7f3a';
/** The first part of the webhooks' paths, which are secrets. */
const HOOK_TOKEN = '/hook-token-7f3a';

/**
 * The longest that storing an offer may take while mail server and webhooks hang; they hang for 10 s and more. The short
 * form runs beside other tests.
 */
const OFFER_LIMIT_MS = runsOf(5_000, 9_000);
/** The longest wait for messages that can be sent. */
const DELIVERY_TIMEOUT_MS = 120_000;

/** Starts of the product are waited for, failing servers for 10 and 15 s, and leases of killed deliveries for 60 s. */
const TIMEOUT_MS = runsOf(1_800_000, 360_000);
/** What is ended, in turns. */
const VICTIMS: Part[] = ['thread', 'product', 'product'];

const to = (name: string) => `${name}@${OWNERS_HOST}`;
const hook = (name: string) => `${HOOK_TOKEN}/${name}`;

describe('messages', { concurrency: 2 }, () => {
  test('mail servers and webhooks that fail delay no offer, give the reason, and get every message once mended', {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    /** One connection each: `deliver` opens four to the mail server at one time. */
    const mails: Record<string, Fate> = {
      rejected: 'reject',
      deferred: 'defer',
      dropped: 'drop',
      hanging: 'hang',
    };
    const hooks: Record<string, Fate> = {
      redirecting: 'redirect',
      failing: 'defer',
      flooding: 'endless error',
      confirming: 'endless',
      waiting: 'hang',
    };
    const fates = new Map([
      ...Object.entries(mails).map(([name, fate]) => [to(name), fate] as const),
      ...Object.entries(hooks).map(([name, fate]) => [hook(name), fate] as const),
    ]);
    const targets = [...fates.keys()];

    const dataDir = newDataFolder();
    await using servers = await startMessageServers();
    await using unsigned = await startSmtpServer({ secure: true });
    servers.password = PASSWORD;
    const settings = {
      MAIL_FROM,
      MAIL_TO: Object.keys(mails).map(to).join(),
      NOTIFY_URL: Object.keys(hooks)
        .map((name) => servers.hookOrigin + hook(name))
        .join(),
    };
    const mailUrl = (password: string) =>
      `smtp://ada:${encodeURIComponent(password)}@127.0.0.1:${servers.mailPort}`;

    let product = await start(t, {
      dataDir,
      env: { ...settings, SMTP_URL: `smtps://127.0.0.1:${unsigned.server.port}` },
    });
    const offers = [await makeOffer(product)];
    await reasonOf(product, /certificate/i);
    assert.equal((await stateWhen(product, ({ sent }) => sent === 5)).queued, 4);
    await stopQuietly(product);

    product = await start(t, { dataDir, env: { ...settings, SMTP_URL: mailUrl(WRONG_PASSWORD) } });
    await reasonOf(product, /^535 /);
    const { failed, queued } = await stateWhen(product, ({ problems }) =>
      /the login/.test(String(problems[0]?.problem)),
    );
    assert.deepEqual({ failed, queued }, { failed: 0, queued: 4 }, 'a wrong password loses no message');
    servers.password = WRONG_PASSWORD;

    // All nine hang until each is released to fail in its own way, so that each reason is seen.
    const gates = new Map(targets.map((target) => [target, Promise.withResolvers<void>()]));
    const held = new Set<string>();
    servers.fateOf = async (target) => {
      held.add(target);
      await gates.get(target)?.promise;
      return fates.get(target) ?? 'accept';
    };
    offers.push(await makeOffer(product));
    // Mended at the provider: without it one mail would be tried.
    await retryMessages(product);
    await until(() => held.size === targets.length, 'an attempt at every target');
    offers.push(...(await Promise.all([1, 2, 3].map(() => makeOffer(product)))));
    const fails = async (target: string, reason: RegExp) => {
      gates.get(target)?.resolve();
      await reasonOf(product, reason);
      count('otherFaults');
    };
    gates.get(hook('confirming'))?.resolve();
    // First those that are not tried again: the others' own limits of time would replace their reasons.
    await fails(hook('redirecting'), /redirects are not followed/);
    await fails(to('rejected'), /^550 5\.1\.1 <\(email\)> has no mailbox$/);
    await fails(hook('failing'), /^HTTP 500: Out of order\.$/);
    await fails(hook('flooding'), /^HTTP 503: x+…?$/);
    await fails(to('deferred'), /^451 4\.3\.0 Try again later$/);
    await fails(to('dropped'), /clos|reset|end/i);
    gates.get(to('hanging'))?.resolve();
    await fails(hook('waiting'), /^No response within 10 seconds\.$/);
    await fails(to('hanging'), /^No response within 15 seconds\.$/);
    await until(() => servers.endlessResponses() === 0, 'the end of endless responses');
    assert.ok(!servers.attempts.some(({ target }) => target === REDIRECTED), 'a redirect was followed');

    servers.fateOf = () => 'accept';
    await stopQuietly(product);
    product = await start(t, { dataDir, env: { ...settings, SMTP_URL: mailUrl(WRONG_PASSWORD) } });
    const mended = await stateWhen(product, ({ queued }) => queued === 0);
    // One or more to the address that had no mailbox.
    assert.ok(mended.failed >= 1, JSON.stringify(mended));
    await retryMessages(product);
    await stateWhen(product, ({ queued, failed }) => queued + failed === 0);
    assertNamed(servers, targets, offers);
    assertOneId(servers.attempts);
    await stopQuietly(product);
    rmSync(dataDir, { recursive: true });
  });

  test('the end of the process or of its thread under load, while the mail server fails at random, loses no offer, no session and no message', {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const FATES: Fate[] = ['accept', 'accept', 'accept and drop', 'drop', 'defer', 'reject'];
    const random = seededRandom('kills under load');
    const dataDir = newDataFolder();
    await using servers = await startMessageServers();
    servers.fateOf = () => FATES[Math.floor(random() * FATES.length)] ?? 'accept';
    const env = {
      PORT: String(await freePort()),
      SMTP_URL: `smtp://127.0.0.1:${servers.mailPort}`,
      MAIL_FROM,
      MAIL_TO: to('killed'),
      NOTIFY_URL: servers.hookOrigin + hook('killed'),
    };
    let product = await start(t, { dataDir, env });
    const visitors = startVisitors(product, 3);
    const owner = startOwner(product.port);
    // From the 21st on, messages are digests.
    await visitors.waitForAcknowledged(21);

    for (let round = 0; round < runsOf(156, 3); round += 1) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'product';
      const attempts = servers.attempts.length;
      // At times in the middle of a delivery: it begins right after an offer is stored.
      if (round % 2 === 0) await within(2_000, () => servers.attempts.length > attempts);
      else await visitors.waitForRequest();
      await pause(random() * 15);
      await killPart(product.process, victim);
      if (victim === 'product') {
        await waitForExit(product.process);
        await stopQuietly(product);
        // Digests are sent, and fail, between kills too.
        if (round % 3 === 2) await passTenMinutes(dataDir);
        product = await start(t, { dataDir, env });
      }
      await Promise.all([visitors.waitForAcknowledged(2), owner.waitForSignIn()]);
    }

    await Promise.all([visitors.finish(), owner.finish()]);
    await assertStoredOnce(product, visitors.acknowledged);
    assert.equal(await stopQuietly(product), 0);
    servers.fateOf = () => 'accept';
    await passTenMinutes(dataDir);
    product = await start(t, { dataDir, env });
    // What was being tried at a kill would wait for its delay.
    await retryMessages(product);
    await stateWhen(product, ({ queued }) => queued === 0);
    await retryMessages(product);
    await stateWhen(product, ({ queued, failed }) => queued + failed === 0);
    assertNamed(servers, [to('killed'), hook('killed')], [...visitors.acknowledged.values()]);
    assertOneId(servers.attempts);
    assert.ok(
      servers.attempts.some(({ id }) => id.includes('digest.')),
      'some messages were digests',
    );
    await stopQuietly(product);
    rmSync(dataDir, { recursive: true });
  });

  test('hostile texts change no header and no markup, and a restored backup sends nothing again', {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'abused-'));
    const dataDir = newDataFolder();
    await using servers = await startMessageServers();
    const env = {
      SMTP_URL: `smtp://127.0.0.1:${servers.mailPort}`,
      MAIL_FROM,
      MAIL_TO: to('ada'),
      MAIL_CONFIRM: 'yes',
      NOTIFY_URL: servers.hookOrigin + hook('ada'),
    };
    const texts = [
      ...HOSTILE_TEXTS,
      '</bdi></td></tr></table><h1>Paid</h1>',
      'a@b.example>, "x" <y@z.example',
      '=?utf-8?B?PGI+?= Bcc: x@y.example',
    ];
    let product = await start(t, { dataDir, env });
    const offers: string[] = [];
    // Every ten minutes the digests are sent that the backup is to hold as queued.
    await roomInWindow(60, 600);
    for (const [at, offer_amount] of texts.entries()) {
      const customer_name = texts[(at + 7) % texts.length] ?? '';
      const customer_email = `visitor${at}+/=?{}@visitor.example`;
      offers.push(await makeOffer(product, { offer_amount, customer_name, customer_email }));
      count('badInputs');
    }
    // 20 singles to each of the owner's targets; the rest are digests, which mostly wait. Every customer gets a
    // confirmation.
    const { queued } = await stateWhen(product, ({ sent }) => sent >= 40 + texts.length);
    const backup = join(folder, 'offers.backup');
    await runCommand('backup', [backup], dataDir);
    await stopQuietly(product);
    await passTenMinutes(dataDir);
    product = await start(t, { dataDir, env });
    await stateWhen(product, (state) => state.queued === 0);
    await stopQuietly(product);

    assertNamed(servers, [to('ada'), hook('ada')], offers);
    assertOneId(servers.attempts);
    const mails = servers.attempts.flatMap(({ mail }) => mail ?? []);
    for (const mail of mails) assertNoInjection(mail, texts, OWNERS_HOST);
    for (const { body } of servers.attempts) if (body !== undefined) assertHookText(body);

    // The restored database still has the digests queued that were sent since, and everything else as sent.
    const before = servers.attempts.length;
    const restored = join(folder, 'restored');
    await runCommand('restore', [backup], restored);
    await passTenMinutes(restored);
    product = await start(t, { dataDir: restored, env });
    const later = await makeOffer(product, { customer_email: 'later@visitor.example' });
    const { paused } = await stateWhen(product, (state) => state.queued === 0);
    assert.equal(paused, queued);
    await until(() => servers.attempts.length >= before + 3, 'the messages about the new offer');
    const sent = servers.attempts.slice(before);
    assert.deepEqual(
      sent.filter(({ target, offers }) => target.includes('ada') && offers.join() !== later),
      [],
      'messages that had been sent before',
    );
    assert.equal(sent.length, 3);
    await runCommand('messages', ['resume'], restored);
    await stateWhen(product, (state) => state.queued + state.paused === 0);
    await stopQuietly(product);
    for (const place of [folder, dataDir]) rmSync(place, { recursive: true });
  });
});

/** Starts the product, which a test that fails leaves to be ended. */
async function start(t: TestContext, options: AbuseOptions): Promise<AbusedProduct> {
  const product = await startAbused(options);
  t.after(() => product.process.kill('SIGKILL'));
  return product;
}

/** Sends a valid offer of the planted person, and asserts that it is stored at once. */
async function makeOffer(product: AbusedProduct, texts: Partial<typeof PLANTED_OFFER> = {}): Promise<string> {
  const turnstile_token = encodeProof(await proofMaker(dataKeys(product.dataDir).secretKey)());
  const started = performance.now();
  const response = await product.call('order-submit', { ...PLANTED_OFFER, ...texts, turnstile_token });
  const took = performance.now() - started;
  assert.equal(response.status, 201, response.text);
  assert.ok(took < OFFER_LIMIT_MS, `an offer took ${Math.round(took)} ms`);
  count('acknowledged');
  return String(jsonOf(response).id);
}

/** Stops the product and searches its log for what only messages know. */
async function stopQuietly(product: AbusedProduct): Promise<number | null> {
  const code = await product.stop();
  const secrets = [...secretsOf(product.dataDir), PASSWORD, WRONG_PASSWORD, HOOK_TOKEN];
  const personal = [OWNERS_HOST, 'visitor.example', 'Visitor 0', 'visitor0@'];
  assertNoSecrets(product.log(), [...secrets, ...personal], 'the log');
  return code;
}

async function reasonOf(product: AbusedProduct, expected: RegExp): Promise<void> {
  await stateWhen(product, ({ reason }) => reason !== null && expected.test(reason), `a reason ${expected}`);
}

/** The state of messages as soon as it is as expected. */
async function stateWhen(
  product: AbusedProduct,
  isExpected: (state: MessageState) => boolean,
  what = String(isExpected),
): Promise<MessageState> {
  const deadline = Date.now() + DELIVERY_TIMEOUT_MS;
  for (;;) {
    const state = await readMessages(product.dataDir);
    if (isExpected(state)) return state;
    assert.ok(Date.now() < deadline, `${what} was awaited; last: ${JSON.stringify(state)}`);
    await pause(250);
  }
}

async function until(reached: () => boolean, what: string): Promise<void> {
  assert.ok(await within(DELIVERY_TIMEOUT_MS, reached), `${what} was awaited`);
}

/** Whether it is reached in so many milliseconds; settles as soon as it is. */
async function within(milliseconds: number, reached: () => boolean): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (!reached()) {
    if (Date.now() > deadline) return false;
    await pause(5);
  }
  return true;
}

/** Asserts that every target accepted a message that names each offer. */
function assertNamed({ attempts }: MessageServers, targets: string[], offers: string[]): void {
  for (const target of targets) {
    const accepted = attempts.filter((attempt) => attempt.accepted && attempt.target === target);
    const named = new Set(accepted.flatMap((attempt) => attempt.offers));
    const missing = offers.filter((id) => !named.has(id));
    count('unnamed', missing.length);
    assert.deepEqual(missing, [], `offers that no message to ${target} names`);
  }
}

/** Asserts that all attempts to send one target one offer have one Message-ID. */
function assertOneId(attempts: readonly Attempt[]): void {
  const ids = new Map<string, Set<string>>();
  for (const { target, id, offers } of attempts) {
    for (const offer of offers) {
      const key = `${target} ${offer}`;
      ids.set(key, (ids.get(key) ?? new Set()).add(id));
    }
  }
  const several = [...ids].filter(([, set]) => set.size > 1).map(([key, set]) => [key, ...set]);
  count('renamed', several.length);
  assert.deepEqual(several, [], 'offers under several Message-IDs');
}

/** Runs a command of the owner's on a data folder. */
async function runCommand(name: string, args: string[], dataDir: string): Promise<void> {
  await promisify(execFile)(
    resolve('node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', `commands/${name}.ts`, ...args],
    { env: { ...BASE_ENV, DATA_DIR: dataDir } },
  );
}
