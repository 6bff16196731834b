/** Transfers from one database to a stand-in for a hosted project. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { takeLock } from '../../process/lock-file.ts';
import {
  addAdministrator,
  readAccounts,
  readAdministrators,
  removeAdministrator,
} from '../../server/backend-client/administrators.ts';
import { openHosted, type Project } from '../../server/backend-client/project.ts';
import { leadTo, openBooted, serveDatabase } from '../../server/embedded/booted-database.fixture.ts';
import { openCommandSocket } from '../../server/embedded/command-socket.ts';
import type { OpenDatabase } from '../../server/embedded/open-database.ts';
import { projectOf } from '../../server/embedded/with-project.ts';
import { type HostedStandIn, startHostedStandIn } from '../../tests/support/hosted-stand-in.ts';
import { NO_POSTGREST } from '../../tests/support/postgrest.ts';
import { newIo, runCommand } from '../../tests/support/run-command.ts';
import { assertOutput, waitUntil } from '../../tests/support/terminal.ts';
import { run } from '../transfer.ts';
import {
  assertTransferred,
  assertUnchanged,
  TRANSFERRED_KINDS,
  transferAccounts,
  transferRows,
} from './transfer-rows.ts';

let standIn: HostedStandIn;
let project: Project;
let here: OpenDatabase;
let served: Awaited<ReturnType<typeof serveDatabase>>;
let source: Project;
describe('transfers to a hosted project', { skip: NO_POSTGREST }, () => {
  before(
    async () => {
      standIn = await startHostedStandIn();
      project = openHosted(standIn);
      here = await openBooted();
      served = await serveDatabase(here);
      source = projectOf(served.control);
      await addAdministrator(source, 'owner@example.com');
      await addAdministrator(source, 'second@example.com');
      // Starts PostgREST and opens two databases, which takes longer on a busy machine.
    },
    { timeout: 180_000 },
  );
  beforeEach(async () => {
    await here.sql.exec(REMOVE_ROWS);
    await standIn.database.sql.exec(REMOVE_ROWS);
    await standIn.database.sql.exec('truncate private.admins, auth.users cascade');
  });
  after(async () => {
    // Where a start has failed, what it has started is not to keep the file from ending.
    await served?.close();
    await here?.close();
    await standIn?.stop();
  });

  const REMOVE_ROWS = `
  begin;
  set local session_replication_role = replica;
  truncate public.offers, private.offer_status_changes, private.erasures, private.erased_offers, private.erased_references, private.name_changes,
    private.name_numbers
    cascade;
  commit`;

  const DUMP = `
  select (select jsonb_agg(to_jsonb(o) order by id) from public.offers o) as offers,
    (select jsonb_agg(to_jsonb(m) order by offer_id) from private.offer_messages m) as texts,
    (select jsonb_agg(to_jsonb(r) order by token_hash) from private.idempotency_keys r) as keys,
    (select jsonb_agg(to_jsonb(c) - 'id' - 'changed_by' order by id) from private.offer_status_changes c) as changes,
    (select jsonb_agg(to_jsonb(e) - 'id' order by id) from private.erasures e) as erasures,
    (select jsonb_agg(to_jsonb(m) - 'id' order by id) from private.messages m) as messages,
    (select jsonb_agg(to_jsonb(v) - 'id' - 'changed_by' order by id) from private.offer_moves v) as moves,
    (select jsonb_agg(to_jsonb(l)) from private.offer_links l) as links,
    (select jsonb_agg(to_jsonb(r)) from private.erased_references r) as erased_references,
    (select jsonb_agg(to_jsonb(d) - 'changes' order by reference) from private.deals d) as deals,
    (select jsonb_agg(to_jsonb(n) - 'id' - 'changed_by') from private.name_changes n) as names,
    (select jsonb_agg(to_jsonb(n) - 'id') from private.name_numbers n) as numbers`;

  test('everything that happened is transferred once, by runs that end early too, and audits name the same person', async () => {
    await fill(here, 520);
    // The project has the owner already, under another id, and a change of its own.
    await addAdministrator(project, 'owner@example.com');
    await standIn.database.sql.exec(
      "insert into private.offer_status_changes (offer_id, old_status, new_status) values (gen_random_uuid(), 'pending', 'accepted')",
    );

    let left = 1;
    const cut: Project = {
      ...project,
      call: async (name, args) => {
        if (name === 'receive_rows' && left-- === 0) throw new Error('the network is gone');
        return await project.call(name, args);
      },
    };
    await assert.rejects(transfer(cut), /network is gone/);
    for (let run = 0; run < 2; run += 1) {
      const counts = await transfer(project);
      assertTransferred(counts);
      assert.deepEqual(
        counts.map(({ here: rows }) => rows),
        [1, 519, 1, 519, 2, 1, 2, 2, 1, 1, 2, 1, 1],
      );
    }

    await standIn.database.sql.exec(
      'delete from private.offer_status_changes where changed_by is null and offer_id not in (select id from public.offers)',
    );
    const [from, to] = await Promise.all([here, standIn.database].map(({ sql }) => sql.query(DUMP)));
    assert.deepEqual(to?.rows, from?.rows);
    const names = await standIn.database.sql.query<{ email: string }>(
      `select u.email from (
       select changed_by, id from private.offer_status_changes union all select changed_by, 1000 from private.offer_moves
       union all select changed_by, 2000 from private.name_changes
       union all select (changes #>> '{0,by}')::uuid, 3000 from private.deals where changes <> '[]'
     ) as c join auth.users u on u.id = c.changed_by order by c.id`,
    );
    assert.deepEqual(
      names.rows.map(({ email }) => email),
      [
        ...['owner@example.com', 'second@example.com', 'owner@example.com', 'owner@example.com'],
        'owner@example.com',
      ],
    );
    assert.equal((await readAdministrators(project)).length, 2);

    // The owner has worked there meanwhile.
    await standIn.database.sql.exec(
      "update public.offers set status = 'rejected' where id = (select min(id::text)::uuid from public.offers)",
    );
    const counts = await transfer(project);
    assert.throws(() => assertTransferred(counts), /offers: 519 here, 518 of them there/);
  });

  test('an erased offer does not come back, and is erased on both sides', async () => {
    const there = standIn.database.sql;
    const count = async ({ sql }: Pick<OpenDatabase, 'sql'>, email: string) => {
      const text = 'select count(*)::integer as n from public.offers where customer_email = $1';
      return (await sql.query<{ n: number }>(text, [email])).rows[0]?.n;
    };
    await here.sql.exec(`
    insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
    select 'lap.app', n::text, 'Bob', case when n = 1 then 'here@example.com' else 'there@example.com' end
    from generate_series(1, 3) as n;
    insert into private.offer_messages
    select id, 'text' from public.offers where customer_email = 'there@example.com';
    insert into private.messages (kind, offer_id, target)
    select 'offer', id, 'mailto:a@example.com' from public.offers where customer_email = 'there@example.com';
  `);
    await transfer(project);
    assert.deepEqual(
      [await count(standIn.database, 'here@example.com'), await count(standIn.database, 'there@example.com')],
      [1, 2],
    );

    await here.sql.exec("select public.erase_customer('here@example.com')");
    await there.exec("select public.erase_customer('there@example.com')");
    const counts = await transfer(project);
    assert.deepEqual(
      counts.flatMap(({ kind, erased }) => (erased === 0 ? [] : [[kind, erased]])),
      [
        ['offers', 2],
        ['offer_messages', 2],
        ['messages', 2],
      ],
    );
    assert.deepEqual(
      [await count(standIn.database, 'here@example.com'), await count(standIn.database, 'there@example.com')],
      [0, 0],
    );
  });

  test('an administrator who was removed there is not granted by another run', async () => {
    await transferAccounts(source, project);
    await removeAdministrator(project, 'second@example.com');
    const { granted, notGranted } = await transferAccounts(source, project);
    assert.deepEqual([granted, notGranted], [[], ['second@example.com']]);
    assert.equal((await readAdministrators(project)).length, 1);
  });

  test('an account that is no administrator here gets no right there', async (t) => {
    await addAdministrator(source, 'former@example.com');
    t.after(() => here.sql.exec("delete from auth.users where email = 'former@example.com'"));
    await removeAdministrator(source, 'former@example.com');
    const { ids, granted, notGranted } = await transferAccounts(source, project);
    assert.equal(ids.size, 3, 'the audit may name it');
    assert.deepEqual([granted, notGranted], [['owner@example.com', 'second@example.com'], []]);
    assert.deepEqual(
      (await readAdministrators(project)).map(({ email }) => email),
      granted,
    );
  });

  test('an account whose email has changed on one side stays the same person', async () => {
    await transferAccounts(source, project);
    await removeAdministrator(project, 'second@example.com');
    const { rows } = await standIn.database.sql.query<{ id: string }>(
      "update auth.users set email = 'renamed@example.com' where email = 'second@example.com' returning id",
    );
    const { ids, notGranted } = await transferAccounts(source, project);
    const local = (await readAccounts(source)).find(({ email }) => email === 'second@example.com');
    assert.equal(ids.get(local?.id ?? ''), rows[0]?.id);
    assert.deepEqual(notGranted, ['renamed@example.com']);
  });

  test('rows that come or go here during a transfer are reported, and another run transfers or erases them', async () => {
    await here.sql.exec(`
    insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
    values ('lap.app', '1', 'Eve', 'eve@example.com')`);
    const busy: Project = {
      ...project,
      call: async (name, args) => {
        // Read here already, and not yet there: nothing there notes that it is erased.
        if (name === 'receive_rows' && 'kind' in args && args.kind === 'offers')
          await here.sql.exec("select public.erase_customer('eve@example.com')");
        return await project.call(name, args);
      },
    };
    await assert.rejects(
      assertUnchanged(await transfer(busy), source),
      /Rows came or went here during the transfer:\n {2}erased_offers: \d+ before, \d+ now\n[\s\S]*run this again/,
    );
    await assertUnchanged(await transfer(project), source);
    const { rows } = await standIn.database.sql.query(
      "select from public.offers where customer_email = 'eve@example.com'",
    );
    assert.equal(rows.length, 0);
  });

  const OF_EVE = "from public.offers where customer_email = 'eve@example.com'";

  for (const { title, before = '', during = '', code, wanted } of [
    {
      title: 'reports rows that go here while it transfers',
      during: "select public.erase_customer('eve@example.com')",
      code: 1,
      wanted:
        /^offers: 1 here, 1 of them there$[\s\S]+Rows came or went here during the transfer:\n {2}erased_offers: 0 before, 1 now\n/m,
    },
    {
      title: 'reports a row that the project has with other content',
      before: "update public.offers set status = 'rejected'",
      code: 1,
      wanted: /^Not everything is in the project:\n {2}offers: 1 here, 0 of them there\n/m,
    },
    {
      title: 'says when everything is there, and whose second factor is not',
      code: 0,
      wanted:
        /^Everything is in \S+\. .+\nThe second factor of second@example\.com is not transferred\. .+\nowner@example\.com is an administrator there\./m,
    },
  ] as { title: string; before?: string; during?: string; code: number; wanted: RegExp }[]) {
    test(`the command ${title}`, async (t) => {
      await here.sql.exec(`
        insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
        values ('lap.app', '1', 'Eve', 'eve@example.com');
        insert into private.admin_factors (user_id, sealed, key_id, last_step, recovery_hashes)
        select id, 'sealed', 'key', 1, '{}' from auth.users where email = 'second@example.com'`);
      t.after(() => here.sql.exec('delete from private.admin_factors'));
      if (before !== '') {
        const rows = await here.sql.query<object>(`select * ${OF_EVE}`);
        await project.call('receive_rows', { kind: 'offers', rows: rows.rows });
        await standIn.database.sql.exec(before);
      }
      const dataDir = mkdtempSync(join(tmpdir(), 'transfer-'));
      t.after(() => rmSync(dataDir, { recursive: true }));
      leadTo(dataDir);
      const release = await takeLock(join(dataDir, 'lock'), 0);
      t.after(() => release?.());
      const { url: SUPABASE_URL, secretKey: SUPABASE_SECRET_KEY, publishableKey } = standIn;
      const env = { DATA_DIR: dataDir, SUPABASE_URL, SUPABASE_SECRET_KEY };
      const io = newIo({ env: { ...env, SUPABASE_PUBLISHABLE_KEY: publishableKey } });
      const ended = run(['--to', 'hosted'], io);
      await waitUntil(() => io.text().includes('waiting for it'));
      // A product that starts meanwhile, in which the owner may erase after the offers were read.
      const product = await openCommandSocket(async (input) => {
        const request = input as Request;
        const body = await request.text();
        if (body.includes('"messages"')) await here.sql.exec(during);
        const { method, headers } = request;
        return await served.control.fetch(request.url, { method, headers, ...(body && { body }) });
      }, dataDir);
      t.after(product.close);
      assert.equal(await ended, code, io.text());
      assert.match(io.text(), wanted);
      assert.equal(/Everything is in/.test(io.text()), code === 0);
      assert.doesNotMatch(io.text(), /second factor of owner/);
    });
  }

  async function transfer(to: Project) {
    const { ids } = await transferAccounts(source, to);
    const counts = [];
    for (const kind of TRANSFERRED_KINDS) counts.push(await transferRows(kind, source, to, ids));
    return counts;
  }

  /** Offers with idempotency keys, of which one has a text, two were changed, two have messages and one was erased; the reference of an erased one, a change of a name, and one of a deal. */
  async function fill({ sql }: Pick<OpenDatabase, 'sql'>, offers: number): Promise<void> {
    await sql.exec(`
    insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
    select 'lap.app', n::text, 'Ada', case when n = 1 then 'gone@example.com' else 'ada@example.com' end,
      now() - n * interval '1 minute' from generate_series(1, ${offers}) as n;
    insert into private.idempotency_keys (token_hash, payload_hash, offer_id)
    select md5(id::text), 'x', id from public.offers;
    select public.erase_customer('gone@example.com');
    insert into private.erased_references values ('LAP-7F3K');
    insert into private.name_numbers (name, month, visits) values ('lap.app', '2026-11-01', '{null, 3}');
    insert into private.offer_messages select id, E'Two\\nlines' from public.offers limit 1;
    insert into private.messages (kind, offer_id, target, sent_at)
    select 'offer', id, 'mailto:a@example.com', case when random() < 0.5 then now() end from public.offers limit 2;
    -- The change of its status below closes it, which is a move, too.
    insert into private.offer_moves (offer_id, number, side, kind, amount)
    select id, 2, 'owner', 'counter', '$5' from public.offers order by id limit 1;
    insert into private.offer_links (token_hash, offer_id, number, nonce)
    select md5('a') || md5('b'), id, 1, md5('c') from public.offers order by id limit 1;
  `);
    const accounts = await readAccounts(source);
    const { rows } = await sql.query<{ id: string }>('select id from public.offers order by id limit 2');
    await sql.query(
      `insert into private.name_changes (batch, name, field, new_value, replaced, changed_by, written_at)
       values (gen_random_uuid(), 'lap.app', 'state', 'sold', '{"state": "for_sale"}', $1, now())`,
      [accounts[0]?.id],
    );
    for (const [at, { id }] of rows.entries()) {
      await sql.transaction(async (tx) => {
        await tx.query(
          "select set_config('request.jwt.claim.sub', $1, true), set_config('request.jwt.claims', $2, true)",
          [accounts[at]?.id ?? randomUUID(), JSON.stringify({ sub: accounts[at]?.id })],
        );
        await tx.query("update public.offers set status = 'accepted' where id = $1", [id]);
        // By the owner, who has another id there.
        if (at === 1) return;
        const change = `jsonb_build_object('reference', reference, 'seen', 0, 'field', 'paid', 'to', true)`;
        await tx.query(
          `select private.change_deal(offer_id, ${change}) from private.deals where offer_id = $1`,
          [id],
        );
      });
    }
  }
});

test('a transfer is rejected while the product runs on the data folder', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'transfer-'));
  leadTo(dataDir);
  const product = await openCommandSocket(async () => new Response('{}'), dataDir);
  t.after(async () => {
    await product.close();
    rmSync(dataDir, { recursive: true });
  });
  const env = {
    DATA_DIR: dataDir,
    SUPABASE_URL: 'http://127.0.0.1:1',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    SUPABASE_SECRET_KEY: 'sb_secret_x',
  };
  assertOutput(
    await runCommand(run, ['--to', 'hosted'], { env }),
    1,
    /^The product is running on this data folder\. Stop it first/,
  );
});
