/** The owner's commands on both backends: the embedded database, and a stand-in for a hosted project. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ExportedOffer } from '#contract/offers-csv.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import type { Run } from '../process/command.ts';
import { OlderBuildError } from '../server/catalogue-publication/publish-served.ts';
import { publisherOf } from '../server/catalogue-publication/publisher.ts';
import { callAuth, leadTo, openBooted, serveDatabase } from '../server/embedded/booted-database.fixture.ts';
import { lastErasure, readErasures } from '../server/embedded/erasures.ts';
import { withProject } from '../server/embedded/with-project.ts';
import { startHostedStandIn } from '../tests/support/hosted-stand-in.ts';
import { NO_POSTGREST } from '../tests/support/postgrest.ts';
import { runCommand } from '../tests/support/run-command.ts';
import type { ToolResult } from '../tests/support/terminal.ts';
import { run as admin } from './admin.ts';
import { checkOffers } from './doctor/product.ts';
import { run as erase } from './erase.ts';
import { run as exportOffers } from './export.ts';
import { run as messages } from './messages.ts';
import { run as purge } from './purge.ts';

/** More than two pages of the export (offers.ts), and than one response of the data API. */
const OFFERS = 2_500;

interface BackendOfTest {
  /** Settings that lead the commands to it. */
  readonly env: Record<string, string>;
  /** Runs a statement as the database's owner, and returns the first column of its first row. */
  value(statement: string, parameters?: unknown[]): Promise<unknown>;
  signsIn(email: string, password: string): Promise<boolean>;
  stop(): Promise<void>;
}

const BACKENDS = [
  { name: 'embedded (PGlite)', missing: false, start: startEmbedded },
  { name: 'hosted (PostgreSQL, PostgREST)', missing: NO_POSTGREST, start: startHosted },
] as const;

for (const { name, missing, start } of BACKENDS) {
  describe(`the owner’s commands: ${name}`, { skip: missing }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'owner-commands-'));
    const dataDir = join(folder, 'data');
    let backend: BackendOfTest;
    let settings: Settings;
    before(async () => {
      mkdirSync(dataDir);
      backend = await start(dataDir);
      settings = readSettings({ ...backend.env, DATA_DIR: dataDir });
    });
    after(async () => {
      await backend.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    beforeEach(() =>
      backend.value(
        'select public.erase_customer(email) from (select distinct lower(customer_email) as email from public.offers) as o',
      ),
    );

    const run = (command: Run, ...args: string[]) =>
      runCommand(command, args, { env: { ...backend.env, DATA_DIR: dataDir } });

    const insertOffers = (email: string, count: number, more = 'now()') =>
      backend.value(
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         select 'lap.app', n::text, 'Ada', $1, ${more} from generate_series(1, $2::integer) as n`,
        [email, count],
      );

    test('admin adds, lists, renews and removes', async () => {
      const password = async (...args: string[]) => {
        rmSync(join(dataDir, 'admin-password.txt'), { force: true });
        assertOutput(await run(admin, ...args), 0, /admin-password\.txt/);
        return readFileSync(join(dataDir, 'admin-password.txt'), 'utf8').trim();
      };
      const first = await password('add', 'Owner@example.com');
      assert.match(first, /^[\w-]{20}$/);
      assertOutput(
        await run(admin, 'add', 'owner@EXAMPLE.com'),
        1,
        /^owner@example\.com is an administrator already/,
      );
      assert.equal(await backend.signsIn('owner@example.com', first), true);
      assertOutput(
        await run(admin, 'remove', 'owner@example.com'),
        1,
        /^owner@example\.com is the last administrator/,
      );

      await password('add', 'second@example.com');
      const id = await backend.value("select id from auth.users where email = 'second@example.com'");
      const openSessions = () =>
        backend.value(
          `with opened as (insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id)
           insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
           select id::text, $1, now() + interval '1 hour', 120 from opened`,
          [id],
        );
      const sessions = async () => [
        Number(await backend.value('select count(*) from private.admin_sessions where user_id = $1', [id])),
        Number(await backend.value('select count(*) from auth.sessions where user_id = $1', [id])),
      ];
      await openSessions();
      assert.deepEqual(await sessions(), [1, 1]);
      const second = await password('password', 'SECOND@example.com');
      assert.deepEqual(await sessions(), [0, 0]);
      assert.equal(await backend.signsIn('second@example.com', second), true);
      assertOutput(
        await run(admin, 'list'),
        0,
        /^Email +Administrator since +Last sign-in\nowner@example\.com .* UTC .+\nsecond@example\.com .* UTC .+$/,
      );

      await openSessions();
      assertOutput(
        await run(admin, 'remove', 'Second@example.com'),
        0,
        /^second@example\.com is no administrator any more/,
      );
      assert.deepEqual(await sessions(), [0, 0], 'an account that is added again has no session of before');
      for (const change of ['remove', 'password']) {
        assertOutput(
          await run(admin, change, 'second@example.com'),
          1,
          /^second@example\.com is no administrator\. See/,
        );
      }
      const again = await password('add', 'second@example.com');
      assert.equal(await backend.signsIn('second@example.com', second), false);
      assert.equal(await backend.signsIn('second@example.com', again), true);
      assert.equal(await backend.value("select id from auth.users where email = 'second@example.com'"), id);
    });

    test('a CSV export has every column and no formula, a JSON export every offer as it is', async () => {
      const made = [
        ['+1,000 €', '=HYPERLINK("http://x.example")'],
        ['-5', 'Grace "Amazing" Hopper'],
        ['@ada', 'Ada Lovelace'],
      ];
      await backend.value(
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         select 'lap.app', amount, name, 'Of.Test@example.com', '2027-01-01'::timestamptz + n * interval '1 second'
         from unnest($1::text[], $2::text[]) with ordinality as made (amount, name, n)`,
        [made.map(([amount]) => amount), made.map(([, name]) => name)],
      );
      await backend.value(`update public.offers set value = -5, currency = 'USD' where offer_amount = '-5'`);
      await backend.value(
        `insert into private.offer_moves (offer_id, number, side, kind, amount, value, currency)
         select o.id, m.number, 'owner', m.kind, '2k', 2000.50, 'EUR' from public.offers o,
           (values (2, 'counter'), (3, 'accept')) as m (number, kind) where o.offer_amount = '+1,000 €'`,
      );
      await backend.value(`update public.offers set status = 'accepted' where offer_amount = '+1,000 €'`);
      const [csv, json] = [join(folder, 'texts.csv'), join(folder, 'texts.json')];
      for (const file of [csv, json]) {
        assertOutput(await run(exportOffers, file), 0, /^Wrote 3 offers to /);
        assert.equal(statSync(file).mode & 0o777, 0o600);
      }
      const offers = JSON.parse(readFileSync(json, 'utf8')) as Record<string, string>[];
      assert.deepEqual(
        offers.map((offer) => [offer.offer_amount, offer.customer_name]),
        made.toReversed(),
      );
      const [, negative, moved] = JSON.parse(readFileSync(json, 'utf8')) as (ExportedOffer & {
        moves: object[];
        deals: [{ reference: string }];
      })[];
      assert.deepEqual([negative?.value, negative?.currency, negative?.current_value], [-5, 'USD', -5]);
      const { value, currency, current_value, agreed_value, agreed_currency, moves, deals } =
        moved ?? assert.fail();
      const [{ reference }] = deals;
      assert.deepEqual(
        [value, currency, current_value, agreed_value, agreed_currency],
        [undefined, undefined, 2000.5, 2000.5, 'EUR'],
      );
      assert.partialDeepStrictEqual(moves[0], { amount: '2k', value: 2000.5, currency: 'EUR' });
      const [ada, grace, formula] = offers.map(({ id, created_at, status }) => ({
        start: `${id},lap.app`,
        end: `Of.Test@example.com,${created_at},${status}`,
      }));
      assert.deepEqual(readFileSync(csv, 'utf8').split('\r\n'), [
        '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status,current_amount,agreed_amount,value,currency,current_value,current_currency,agreed_value,agreed_currency,reference,pay_by,paid_at,transferred_at,sold_at',
        `${ada?.start},'@ada,Ada Lovelace,${ada?.end},'@ada,,,,,,,,,,,,`,
        `${grace?.start},'-5,"Grace ""Amazing"" Hopper",${grace?.end},'-5,,-5,USD,-5,USD,,,,,,,`,
        `${formula?.start},"'+1,000 €","'=HYPERLINK(""http://x.example"")",${formula?.end},2k,2k,,,2000.5,EUR,2000.5,EUR,${reference},,,,`,
        '',
      ]);
      const semicolons = join(folder, 'semicolons.csv');
      assertOutput(await run(exportOffers, semicolons, '--separator', ';'), 0, /^Wrote 3 offers to /);
      const [head, first] = readFileSync(semicolons, 'utf8').split('\r\n');
      assert.match(head ?? '', /^\uFEFFid;domain_name;offer_amount;.*;agreed_currency;.*;sold_at$/);
      assert.equal(
        first,
        `${ada?.start},'@ada,Ada Lovelace,${ada?.end},'@ada,,,,,,,,,,,,`.replaceAll(',', ';'),
      );
      assertOutput(await run(erase, 'of.test@example.com'), 0, /^Erased 3 offers\./);
    });

    test('erase asks on a terminal, and erases without one or with --yes', async () => {
      const count = async () =>
        Number(await backend.value("select count(*) from public.offers where customer_name = 'Asked'"));
      await backend.value(`
        insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
        select 'lap.app', '1', 'Asked', 'asked' || n || '@example.com' from generate_series(1, 3) as n`);
      const typed = (answer: string) => (output: string) => {
        assert.match(
          output,
          /\nErase every offer of asked1@example\.com\? That cannot be taken back\. \[y\/N\]/,
        );
        return answer;
      };
      const before = readErasures(dataDir)?.length;
      const on = (answer: string) =>
        runCommand(erase, ['asked1@example.com'], {
          env: { ...backend.env, DATA_DIR: dataDir },
          typed: typed(answer),
        });
      assertOutput(await on('n'), 0, /Nothing was erased\.$/);
      assert.equal(await count(), 3);
      assert.equal(readErasures(dataDir)?.length, before, 'nothing is noted either');
      assertOutput(await on('y'), 0, /\[y\/N\] .*Erased 1 offer\./s);
      const unasked = () => assert.fail('a question');
      const yes = { env: { ...backend.env, DATA_DIR: dataDir }, typed: unasked };
      assertOutput(await runCommand(erase, ['--yes', 'asked2@example.com'], yes), 0, /^Erased 1 offer\./);
      assertOutput(await run(erase, 'asked3@example.com'), 0, /^Erased 1 offer\./);
      assert.equal(await count(), 0);
    });

    test('export writes every offer once, newest first, with messages', async () => {
      await insertOffers(
        'ada@example.com',
        OFFERS,
        "'2026-01-01'::timestamptz + (n / 7) * interval '1 second'",
      );
      await backend.value(`
        insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, low)
        values ('lap.app', 'low', 'Ada', 'ada@example.com', '2025-12-31', true)`);
      await backend.value(
        `insert into private.offer_messages select id, E'Two\\nlines' from public.offers order by created_at, id limit 1`,
      );
      const [csv, json] = [join(folder, 'offers.csv'), join(folder, 'offers.json')];
      assertOutput(await run(exportOffers, csv), 0, /^Wrote 2,501 offers to /);
      assertOutput(await run(exportOffers, json), 0, /^Wrote 2,501 offers to /);
      const offers = JSON.parse(readFileSync(json, 'utf8')) as {
        offer_amount: string;
        message?: string;
        low?: true;
      }[];
      assert.equal(new Set(offers.map(({ offer_amount }) => offer_amount)).size, OFFERS + 1);
      assert.equal(offers.at(-1)?.message, 'Two\nlines');
      assert.deepEqual(
        offers.flatMap(({ low }, at) => (low === undefined ? [] : [[at, low]])),
        [[OFFERS, true]],
      );
      const text = readFileSync(csv, 'utf8');
      assert.match(
        text.slice(0, 300),
        /^\uFEFFid,.*,message,current_amount,agreed_amount,value,currency,current_value,current_currency,agreed_value,agreed_currency,reference,pay_by,paid_at,transferred_at,sold_at\r\n/,
      );
      assert.match(text.slice(-100), /"Two\nlines",low,,,,,,,,,,,,\r\n$/);
    });

    test('numbers.csv has each name and each day with a number, of every page and of long months', async () => {
      await backend.value(`
        insert into private.name_numbers (name, month, visits, agreed)
        select 'n' || n || '.example', date '2026-10-01', '{1}'::integer[], null::integer[] from generate_series(1, 500) as n
        union all
        select 'lap.app', '2026-10-01', array_fill(null::integer, array[30]) || 7, '{null,2}'`);
      const file = join(folder, 'numbers.csv');
      assertOutput(await run(exportOffers, file), 0, /^Wrote the numbers of 501 names to /);
      const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\r\n');
      assert.equal(head, 'name,day,visits,begun,sent,agreed');
      assert.equal(new Set(lines.map((line) => line.split(',')[0])).size, 501);
      assert.deepEqual(
        lines.filter((line) => line.startsWith('lap.app')),
        ['lap.app,2026-10-02,0,0,0,2', 'lap.app,2026-10-31,7,0,0,0'],
      );
      rmSync(file);
      assertOutput(await run(exportOffers, '--separator', ';', file), 0, /^Wrote the numbers/);
      const semicolons = readFileSync(file, 'utf8');
      assert.match(
        semicolons,
        /^name;day;visits;begun;sent;agreed\r\n(?:.*\r\n)*lap\.app;2026-10-31;7;0;0;0\r\n/,
      );
    });

    test('erase deletes a customer’s offers, and notes it first where there are backups', async () => {
      await insertOffers('ada@example.com', 1);
      await insertOffers('Bob@example.com', 2);
      assertOutput(
        await run(erase, 'bob@EXAMPLE.com'),
        0,
        /^Erased 2 offers\. Backups made earlier still hold them[.;]/,
      );
      assertOutput(await run(erase, 'bob@example.com'), 0, /^There is no offer from that address\./);
      assert.equal(Number(await backend.value('select count(*) from public.offers')), 1);
      const noted = lastErasure(readErasures(dataDir) ?? [], 'BOB@example.com');
      assert.equal(noted > 0, existsSync(join(dataDir, 'database')));
    });

    test('export --email writes everything that is stored about one customer, and nothing of others', async () => {
      await backend.value(`
        with made as (
          insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, low)
          select 'lap.app', '1', 'Eve', email, '2026-01-01', true
          from unnest(array['Eve@example.com', 'eve.other@example.com']) as email
          returning id, customer_email as email
        ), messages as (
          insert into private.offer_messages select id, 'From ' || email from made
        ), keys as (
          insert into private.idempotency_keys (token_hash, payload_hash, offer_id, language)
          select email, 'x', id, 'de' from made
        )
        insert into private.messages (kind, offer_id, target, sent_at, reason, reason_at)
        select kind, id, target, '2026-01-02', 'connect ECONNREFUSED 192.0.2.7:25', '2026-01-01' from made, (values
          ('offer', 'mailto:owner@example.com'), ('confirmation', null)
        ) as m (kind, fixed), lateral (select coalesce(fixed, 'mailto:' || lower(email)) as target) as t`);
      await backend.value(`update public.offers set status = 'rejected' where customer_name = 'Eve'`);
      const file = join(folder, 'customer.json');
      assertOutput(
        await run(exportOffers, '--email', 'eve@EXAMPLE.com', file),
        0,
        /^Wrote 1 offer and 1 mail to \S+\. It holds personal data\.$/,
      );
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const text = readFileSync(file, 'utf8');
      assert.doesNotMatch(text, /other|owner@|192\.0\.2\.7/);
      const { offers, mails } = JSON.parse(text);
      const [{ id, history, ...offer }] = offers;
      assert.deepEqual(
        [offer.customer_email, offer.message, offer.language, offer.status, offer.low],
        ['Eve@example.com', 'From Eve@example.com', 'de', 'rejected', true],
      );
      assert.deepEqual(
        history.map((change: { old_status: string; new_status: string }) => [
          change.old_status,
          change.new_status,
        ]),
        [['pending', 'rejected']],
      );
      assert.deepEqual(
        mails.map((mail: { kind: string; offer_id: string }) => [mail.kind, mail.offer_id]),
        [['confirmation', id]],
      );
      assertOutput(
        await run(exportOffers, '--email', 'eve@example.com', file),
        1,
        /customer\.json is there already/,
      );
      const none = join(folder, 'none.json');
      assertOutput(
        await run(exportOffers, '--email', 'nobody@example.com', none),
        0,
        /^Nothing is stored about nobody@example\.com, and no file was written\.$/,
      );
      assert.equal(existsSync(none), false);
      assertOutput(
        await run(exportOffers, '--email', 'eve', none),
        1,
        /^"eve" is not an email address\. Please name one email address/,
      );
      assertOutput(
        await run(exportOffers, '--email', 'eve@example.com', join(folder, 'x.csv')),
        1,
        /must end in \.json/,
      );
      for (const email of ['eve@example.com', 'eve.other@example.com']) await run(erase, email);
    });

    test('purge deletes closed offers whose status last changed long ago, with what belongs to them', async () => {
      // The history of erased offers stays.
      const rest = () =>
        Promise.all(
          ['offer_messages', 'messages', 'offer_status_changes'].map(async (table) => {
            const ofNoOffer = 'where not exists (select from public.offers o where o.id = t.offer_id)';
            return Number(await backend.value(`select count(*) from private.${table} t ${ofNoOffer}`));
          }),
        );
      const [, , former = 0] = await rest();
      await backend.value(`
        with made as (
          insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, status, low)
          select 'lap.app', name, 'Old', 'old@example.com', now() - interval '3 years', status, status = 'rejected'
          from (values
            ('rejected', 'rejected'), ('rejected lately', 'rejected'), ('accepted', 'accepted'), ('open', 'pending'),
            ('in talks', 'negotiating')
          ) as v (name, status)
          returning id, offer_amount as name, status
        ), messages as (
          insert into private.offer_messages select id, 'A message' from made
        ), mails as (
          insert into private.messages (kind, offer_id, target) select 'confirmation', id, 'mailto:old@example.com' from made
        )
        insert into private.offer_status_changes (offer_id, old_status, new_status, changed_at)
        select id, 'pending', status, now() - case name when 'rejected lately' then interval '1 month' else '25 months' end
        from made where status <> 'pending'`);
      assert.deepEqual(await rest(), [0, 0, former]);
      const left = async () =>
        String(
          await backend.value(
            `select string_agg(offer_amount, ', ' order by offer_amount) from public.offers where customer_name = 'Old'`,
          ),
        );
      assertOutput(
        await run(purge, '--older-than', '24months'),
        1,
        /^Nothing was deleted, because there is no terminal to ask on\. To delete without a question, add --yes\.$/,
      );
      assert.equal(await left(), 'accepted, in talks, open, rejected, rejected lately');
      assertOutput(
        await run(purge, '--older-than', '24months', '--yes'),
        0,
        /^Deleted 1 offer\. Backups made earlier still hold them: run this again after a restore\.$/,
      );
      assert.equal(await left(), 'accepted, in talks, open, rejected lately');
      assertOutput(
        await run(purge, '--older-than', '2years', '--yes'),
        0,
        /^No offer has been rejected for more than 2 years\.$/,
      );
      assertOutput(
        await run(purge, '--older-than', '700days', '--accepted', '--yes'),
        0,
        /^Deleted 1 offer\./,
      );
      assert.equal(await left(), 'in talks, open, rejected lately');
      assert.deepEqual(await rest(), [0, 0, former]);
      for (const age of ['0months', '24', 'months', '24months2']) {
        assertOutput(await run(purge, '--older-than', age), 1, /Please give an age in days, months or years/);
      }
      assertOutput(await run(purge), 1, /^Please give an age in days, months or years/);
      await run(erase, 'old@example.com');
    });

    test('messages shows how they stand, and resumes those that are held back', async () => {
      await insertOffers('ada@example.com', 1);
      await backend.value(
        `insert into private.messages (kind, offer_id, target, reason, reason_at, failed_at, created_at)
         select 'offer', (select id from public.offers limit 1), t, r, now(), case when r is not null then now() end,
           now() - interval '1 hour'
         from (values ('mailto:a@example.com', null), ('mailto:b@example.com', '550 no such user')) as v (t, r)`,
      );
      assertOutput(
        await run(messages, 'status'),
        0,
        /^Sent: 0\. Queued: 1\. Not sent: 1\.\nThe last response to a failed try: 550 no such user$/,
      );
      await backend.value(`insert into private.failing_servers (server, problem, reply, lasting, confirmed, message_id)
        values ('mailto:', 'The login is rejected.', '535', true, true, 1)`);
      assertOutput(
        await run(messages, 'status'),
        0,
        /Not sent: 1\.\nThe login is rejected\. .*\nThe last response/,
      );
      await backend.value('delete from private.failing_servers');
      await backend.value('select public.pause_messages()');
      assertOutput(
        await run(messages, 'status'),
        0,
        /Queued: 0\. Not sent: 1\.\nHeld back since the restore: 1\./,
      );
      assertOutput(await run(messages, 'resume'), 0, /^1 message will be sent within a minute/);
      assertOutput(await run(messages, 'resume'), 0, /^No message was held back\.$/);
    });

    test('doctor counts the offers that are new for more than a day, without held and low ones', async () => {
      await backend.value("update public.offers set status = 'accepted'");
      assert.equal((await checkOffers(settings, 10_000)).status, 'ok');
      await backend.value(`
        insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, status, held, low)
        select 'lap.app', '1', 'Ada', 'ada@example.com', now() - age, status, held, low
        from (values
          (interval '23 hours', 'pending', false, false), ('25 hours', 'pending', false, false),
          ('500 days', 'pending', false, false), ('600 days', 'accepted', false, false),
          ('700 days', 'pending', true, false), ('800 days', 'pending', false, true)
        ) as made (age, status, held, low)`);
      const { status, message } = await checkOffers(settings, 10_000);
      assert.equal(status, 'warn');
      assert.match(message, /^2 offers have been new for more than 24 hours, the oldest for 500 days/);
    });

    test('the publisher publishes, and tells an older build from other errors', async () => {
      await withProject(settings, async (project) => {
        const publish = publisherOf(project);
        const publication = {
          entries: [{ name: 'lap.app', state: 'for_sale' as const, price: '$1' }],
          hosts: ['names.example'],
          language: 'en',
          build: 'one',
          builtAt: '2026-01-02T00:00:00.000Z',
          settings: {},
        };
        const published = (column: string) =>
          backend.value(`select ${column} from private.published_catalogue`);
        const settings = { owner: 'Ada', replyWithin: '3 days' };
        await publish({ ...publication, settings }, false);
        assert.equal(await published('build'), 'one');
        assert.deepEqual(await published('settings'), settings);
        await publish(publication, false);
        assert.deepEqual(await published('settings'), {}, 'of a build without them');
        await assert.rejects(
          publish({ ...publication, builtAt: '2026-01-01T00:00:00.000Z' }, false),
          OlderBuildError,
        );
        await assert.rejects(
          publish({ ...publication, entries: [{ name: '', state: 'for_sale', price: '' }] }, false),
          { name: 'UserError', message: /^publish_listings failed on / },
        );
      });
    });
  });
}

test('erase works on the hosted project and on the database that a transfer left in the data folder', {
  skip: NO_POSTGREST,
}, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'left-'));
  const hosted = await startHosted();
  const left = await startEmbedded(dataDir);
  t.after(async () => {
    await Promise.all([hosted.stop(), left.stop()]);
    rmSync(dataDir, { recursive: true });
  });
  const insert = `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
    select 'lap.app', n::text, 'Ada', email from unnest(array['ada@example.com', 'bob@example.com']) as email,
      generate_series(1, $1::integer) as n`;
  await hosted.value(insert, [1]);
  await left.value(insert, [2]);
  assertOutput(
    await runCommand(erase, ['ada@example.com'], { env: { ...hosted.env, DATA_DIR: dataDir } }),
    0,
    /^Erased 1 offer\. Backups made earlier still hold them\.\nErased 2 offers in \S+ as well\.$/,
  );
  const emails = `select string_agg(customer_email, ' ') from public.offers`;
  assert.equal(await hosted.value(emails), 'bob@example.com');
  assert.equal(await left.value(emails), 'bob@example.com bob@example.com');
});

test('an erasure is noted before the database is asked to erase', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'erase-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const database = await openBooted();
  const served = await serveDatabase(database, dataDir);
  t.after(async () => {
    await served.close();
    await database.close();
  });
  leadTo(dataDir);
  await database.sql.exec('drop function public.erase_customer(text)');
  assert.equal((await runCommand(erase, ['ada@example.com'], { env: { DATA_DIR: dataDir } })).code, 1);
  assert.ok(lastErasure(readErasures(dataDir) ?? [], 'ada@example.com') > 0);
});

test('export writes no file, and erase reports it, when the database returns wrong results', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wrong-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const database = await openBooted();
  const served = await serveDatabase(database, dataDir);
  t.after(async () => {
    await served.close();
    await database.close();
  });
  leadTo(dataDir);
  await database.sql.exec(`
    insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
    values ('lap.app', '1', 'Ada', 'ada@example.com')`);
  const folder = join(dataDir, 'exports');
  mkdirSync(folder);
  const query = database.sql.query;
  // As PGlite does when it is out of step.
  database.sql.query = (async () => ({ rows: [], fields: [] })) as typeof query;
  for (const file of ['offers.csv', 'offers.json']) {
    assertOutput(
      await runCommand(exportOffers, [join(folder, file)], { env: { DATA_DIR: dataDir } }),
      1,
      /^export_offers failed on the embedded database: a statement returned a wrong result\. If its disk is full/,
    );
  }
  assertOutput(
    await runCommand(erase, ['ada@example.com'], { env: { DATA_DIR: dataDir } }),
    1,
    /^erase_customer failed/,
  );
  database.sql.query = query;
  assert.deepEqual(readdirSync(folder), []);
});

async function startEmbedded(dataDir: string): Promise<BackendOfTest> {
  const database = await openBooted();
  const served = await serveDatabase(database, dataDir);
  leadTo(dataDir);
  return {
    env: {},
    value: async (statement, parameters) =>
      Object.values((await database.sql.query<object>(statement, parameters)).rows[0] ?? {})[0],
    signsIn: async (email, password) =>
      (await callAuth(database, 'token?grant_type=password', { email, password })).ok,
    stop: async () => {
      await served.close();
      await database.close();
    },
  };
}

async function startHosted(): Promise<BackendOfTest> {
  const { url, publishableKey, secretKey, database, stop } = await startHostedStandIn();
  return {
    env: {
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
      SUPABASE_SECRET_KEY: secretKey,
    },
    value: async (statement, parameters) =>
      Object.values((await database.sql.query<object>(statement, parameters)).rows[0] ?? {})[0],
    signsIn: async (email, password) => {
      const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: publishableKey },
        body: JSON.stringify({ email, password }),
      });
      return response.ok;
    },
    stop,
  };
}

function assertOutput({ code, text }: ToolResult, wantedCode: number, wanted: RegExp): void {
  assert.match(text, wanted);
  assert.equal(code, wantedCode, text);
}
