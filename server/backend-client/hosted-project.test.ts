/** The owner's tools against a stand-in for a hosted project. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type HostedStandIn, startHostedStandIn } from '../../tests/support/hosted-stand-in.ts';
import { NO_POSTGREST } from '../../tests/support/postgrest.ts';
import { publisherOf } from '../catalogue-publication/publisher.ts';
import {
  addAdministrator,
  createAccount,
  readAccounts,
  readAdministrators,
  removeAdministrator,
  renewPassword,
} from './administrators.ts';
import { findBotCheckProblem } from './bot-check-problem.ts';
import { readOffers } from './offers.ts';
import { type HostedProject, openHosted } from './project.ts';

let standIn: HostedStandIn;
let project: HostedProject;
describe('the owner’s tools on a hosted project', { skip: NO_POSTGREST }, () => {
  before(async () => {
    standIn = await startHostedStandIn();
    project = openHosted(standIn);
  });
  after(() => standIn.stop());

  test('administrators are added with a password that signs in, renewed, listed and removed', async () => {
    const first = await addAdministrator(project, 'Owner@example.com');
    await assert.rejects(addAdministrator(project, 'owner@example.com'), /is an administrator already/);
    await assert.rejects(removeAdministrator(project, 'owner@example.com'), /the last administrator/);
    assert.equal(await signIn(first), 200);

    const second = await addAdministrator(project, 'other@example.com', 'a password of the test');
    assert.equal(second.password, 'a password of the test');
    const renewed = await renewPassword(project, 'OTHER@example.com');
    assert.equal(await signIn(second), 401);
    assert.equal(await signIn(renewed), 200);
    const { rows } = await standIn.database.sql.query(
      'select count(*)::int as n from private.admin_sessions',
    );
    assert.deepEqual(rows, [{ n: 2 }]);

    const list = await readAdministrators(project);
    assert.deepEqual(
      list.map(({ email }) => email.toLowerCase()),
      ['owner@example.com', 'other@example.com'],
    );
    assert.match(String(list[0]?.lastSignIn), /^\d{4}-/);
    assert.deepEqual(await removeAdministrator(project, 'OTHER@example.com'), { email: 'other@example.com' });
    await assert.rejects(removeAdministrator(project, 'other@example.com'), /is no administrator/);
    assert.equal(await signIn(renewed), 401);
    // The account is there, and its old password is not good for the role.
    assert.equal(await signIn(await addAdministrator(project, 'other@example.com')), 200);
  });

  test('a new account counts as confirmed', async (context) => {
    const { mock } = context.mock.method(project.auth, 'createUser');
    await addAdministrator(project, 'confirmed@example.com');
    assert.equal(mock.calls[0]?.arguments[0].email_confirm, true);
  });

  test('a new password ends what admin-auth opened, and one that the platform rejects is an error', async (context) => {
    const account = await addAdministrator(project, 'renewed@example.com');
    assert.equal(await signIn(account), 200);
    const outcome = { data: { user: null }, error: null as object | null };
    // GoTrue knows its own sessions alone.
    context.mock.method(project.auth, 'updateUserById', async () => outcome as never);
    await renewPassword(project, account.email);
    const { rows } = await standIn.database.sql.query(
      `select u.email from private.admin_sessions s join auth.users u on u.id = s.user_id where u.email = $1`,
      [account.email],
    );
    assert.deepEqual(rows, []);
    outcome.error = { status: 422, code: 'weak_password', message: 'Password is known.' };
    const change = /^UserError: The accounts of .* could not be read or changed: /;
    await assert.rejects(renewPassword(project, account.email), change);
    await assert.rejects(removeAdministrator(project, account.email), change);
  });

  test('accounts are read in pages', async () => {
    for (const name of ['one', 'two', 'three']) await createAccount(project, `${name}@pages.example`);
    const emails = (await readAccounts(project, 2)).map(({ email }) => email);
    assert.deepEqual(emails.filter((email) => email.endsWith('@pages.example')).sort(), [
      'one@pages.example',
      'three@pages.example',
      'two@pages.example',
    ]);
    assert.equal(new Set(emails).size, emails.length);
  });

  test('offers are read in pages, newest first, with messages, counted, and erased', async () => {
    const sql = standIn.database.sql;
    const at = '2026-01-02T03:04:05.123456+00:00';
    for (let n = 0; n < 5; n += 1) {
      await sql.query(
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
       values ('lap.app', $1, 'Ada', 'ada@example.com', $2)`,
        [String(n), n < 3 ? at : '2026-01-03T00:00:00Z'],
      );
    }
    const read = async () => {
      const { hasMessages, offers } = await readOffers(project, 2);
      return { hasMessages, offers: await Array.fromAsync(offers) };
    };
    const before = await read();
    assert.equal(before.hasMessages, false);
    assert.equal(new Set(before.offers.map(({ id }) => id)).size, 5);
    assert.equal(before.offers.at(-1)?.created_at, at);
    assert.equal(await project.call('count_offers', {}), 5);
    const { created_at, id } = before.offers[3] ?? assert.fail();
    const upTo = { newest_created_at: created_at, newest_id: id };
    assert.equal(await project.call('count_offers', upTo), 2);

    await sql.query("insert into private.offer_messages values ($1, 'Two\nlines')", [before.offers[0]?.id]);
    const { hasMessages, offers } = await read();
    assert.equal(hasMessages, true);
    assert.equal(offers[0]?.message, 'Two\nlines');
    assert.equal(await project.call('erase_customer', { email: 'ADA@example.com' }), 5);
    assert.equal(await project.call('count_offers', {}), 0);
  });

  test('the state of messages is read, and held back ones are resumed', async () => {
    const sql = standIn.database.sql;
    const { rows } = await sql.query<{ id: string }>(
      `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
     values ('lap.app', '1', 'Ada', 'bob@example.com') returning id`,
    );
    const empty = { queued: 0, paused: 0, failed: 0, sent: 0, wait_seconds: 0, reason: null, problems: [] };
    assert.deepEqual(await project.call('read_message_state', {}), empty);
    await sql.query(
      `insert into private.messages (kind, offer_id, target, reason, reason_at, failed_at, created_at)
     select 'offer', $1, t, r, now(), case when r is not null then now() end, now() - interval '1 hour'
     from (values ('mailto:a@example.com', null), ('mailto:b@example.com', '550 no such user')) as v (t, r)`,
      [rows[0]?.id],
    );
    assert.deepEqual(await project.call('read_message_state', {}), {
      ...empty,
      queued: 1,
      failed: 1,
      wait_seconds: 3600,
      reason: '550 no such user',
    });
    await sql.exec('select public.pause_messages()');
    assert.deepEqual(await project.call('read_message_state', {}), {
      ...empty,
      paused: 1,
      failed: 1,
      reason: '550 no such user',
    });
    assert.equal(await project.call('resume_messages', {}), 1);
    await project.call('erase_customer', { email: 'bob@example.com' });
  });

  test('a project without the migrations, without the key, or that sends no response is reported', async () => {
    await assert.rejects(
      project.call('no_such_function' as 'remove_expired', {}),
      /Apply the migrations: npm run deploy:backend/,
    );
    assert.throws(() => openHosted({ ...standIn, secretKey: undefined }), /set SUPABASE_SECRET_KEY/);
    const closed = openHosted({ ...standIn, url: 'http://127.0.0.1:9' });
    await assert.rejects(closed.call('count_offers', {}), /no response .* is not paused/);
    await assert.rejects(
      addAdministrator(openHosted({ ...standIn, secretKey: 'sb_secret_wrong' }), randomUUID()),
      /the project rejected SUPABASE_SECRET_KEY .* both keys from the same project/,
    );
  });

  /** Wrong responses, as proxies, login pages of networks and limits send them, and what is reported. */
  const WRONG_RESPONSES: [name: string, response: () => Response, wanted: RegExp][] = [
    [
      'HTML',
      () => new Response('<h1>Welcome to the hotel</h1>'),
      /no JSON \(200\).*login page of your network/,
    ],
    ['half a JSON', () => new Response('{"offers": [{"id"'), /no JSON \(200\)/],
    ['nothing', () => new Response(''), /something else than it should/],
    ['null', () => Response.json(null), /something else than it should/],
    ['another shape', () => Response.json({ a: 1 }), /something else than it should/],
    ['429', () => Response.json({ message: 'Too many' }, { status: 429 }), /too many requests \(429\)/],
  ];

  test('a wrong response is an error that names it, never a count of 0', async (context) => {
    for (const [name, response, wanted] of WRONG_RESPONSES) {
      const { mock } = context.mock.method(globalThis, 'fetch', async () => response());
      for (const use of [
        () => readOffers(project),
        () => project.call('count_offers', {}),
        () => readAdministrators(project),
        () => removeAdministrator(project, 'ada@example.com'),
      ]) {
        await assert.rejects(use(), { name: 'UserError', message: wanted }, name);
      }
      mock.restore();
    }
    const { mock } = context.mock.method(globalThis, 'fetch', async () => Response.json({ a: 1 }));
    const noAccounts = { name: 'UserError', message: /accounts of .* could not be read or changed/ };
    await assert.rejects(readAccounts(project), noAccounts);
    await assert.rejects(createAccount(project, 'ada@example.com'), noAccounts);
    mock.restore();
  });

  test('the secret key is not sent on where a redirect leads', async (context) => {
    const keys: unknown[] = [];
    const elsewhere = createServer((request, response) => {
      keys.push(request.headers.apikey);
      response.end('[]');
    });
    const redirecting = createServer((_request, response) => {
      const { port } = elsewhere.address() as AddressInfo;
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    });
    for (const server of [elsewhere, redirecting]) await once(server.listen(0, '127.0.0.1'), 'listening');
    context.after(() => {
      for (const server of [elsewhere, redirecting]) server.close().closeAllConnections();
    });
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const redirected = openHosted({ ...standIn, url });
    await assert.rejects(readAdministrators(redirected), /no response/);
    await assert.rejects(readAccounts(redirected), /accounts of/);
    await assert.rejects(
      publisherOf(redirected)({ entries: [], hosts: [], language: 'en', build: 'b', settings: {} }, false),
    );
    assert.deepEqual(keys, []);
  });

  test('a bot check that only one side has is described', async () => {
    const supabase = { ...standIn, secretKey: undefined };
    const turnstile = { siteKey: 'key', secretKey: '', verifyUrl: '' };
    assert.equal(await findBotCheckProblem({ supabase, turnstile: undefined }), undefined);
    assert.match((await findBotCheckProblem({ supabase, turnstile })) ?? '', /Set TURNSTILE_SECRET_KEY/);
    const closed = { ...supabase, url: 'http://127.0.0.1:9' };
    assert.equal(await findBotCheckProblem({ supabase: closed, turnstile }), undefined);
  });

  async function signIn({ email, password }: { email: string; password: string }): Promise<number> {
    const response = await fetch(`${standIn.url}/functions/v1/admin-auth`, {
      method: 'POST',
      headers: { apikey: standIn.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    await response.text();
    return response.status;
  }
});
