import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBooted } from './booted-database.fixture.ts';
import { type MessageState, messageHealth } from './message-tools.ts';
import type { OpenDatabase } from './open-database.ts';
import { PUTS_OUT_OF_STEP } from './out-of-step.fixture.ts';
import { control, MESSAGES_HEADER } from './owner-tools.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'owner-tools-'));
let database: OpenDatabase;
before(async () => {
  database = await openBooted();
});
after(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

function tool(call: string, sent: object = ['lap.app']): Promise<Response> {
  const [method = '', name = ''] = call.split(' ');
  const url = new URL(`http://embedded/control/${name}`);
  const tools = { dataDir, database, duringMaintenance: <R>(work: () => Promise<R>) => work() };
  const body = method === 'POST' ? { body: JSON.stringify(sent) } : {};
  return control(new Request(url, { method, ...body }), url, tools);
}

test('count returns the number of offers up to a given one, or of all', async () => {
  await tool('POST seed?offers=5');
  const lines = (await (await tool('GET offers')).text()).trim().split('\n');
  const third = JSON.parse(lines[2] ?? '') as { created_at: string; id: string };
  const countOf = async (query = '') => await (await tool(`GET count${query}`)).json();
  assert.deepEqual(await countOf(), { count: 5 });
  assert.deepEqual(await countOf(`?${new URLSearchParams({ created_at: third.created_at, id: third.id })}`), {
    count: 3,
  });
});

test('offers have the message of those that have one', async () => {
  const read = async () => {
    const response = await tool('GET offers');
    const lines = (await response.text()).trim().split('\n');
    return { has: response.headers.get(MESSAGES_HEADER), offers: lines.map((line) => JSON.parse(line)) };
  };
  const without = await read();
  assert.equal(without.has, 'no');
  assert.ok(without.offers.every((offer) => !('message' in offer)));
  const { id } = without.offers[1];
  await database.sql.query('insert into private.offer_messages values ($1, $2)', [id, 'one\ntwo']);
  const { has, offers } = await read();
  assert.equal(has, 'yes');
  assert.deepEqual(offers[1], { ...without.offers[1], message: 'one\ntwo' });
  assert.deepEqual(offers.toSpliced(1, 1), without.offers.toSpliced(1, 1));
});

test('messages that were dismissed, and confirmations whose address was rejected, are no fault', async () => {
  const health = async () => messageHealth((await (await tool('GET messages')).json()) as MessageState);
  await database.sql.exec(
    `insert into private.messages (kind, offer_id, target, reason, reason_at, failed_at, created_at, address_rejected)
     select v.kind, o.id, v.target, v.reason, now(), v.failed_at, now() - interval '1 hour', v.kind = 'confirmation'
     from (select id from public.offers limit 1) as o,
       (values ('confirmation', 'mailto:a@x.example', '550 unknown', now()),
         ('confirmation', 'mailto:b@x.example', '450 unknown', null),
         ('offer', 'mailto:c@x.example', '554 no', now())) as v (kind, target, reason, failed_at)`,
  );
  assert.equal(await health(), '1 message was not sent. The last response was: 554 no');
  await database.sql.exec(`update private.messages set dismissed_at = now() where kind = 'offer'`);
  assert.equal(await health(), true);
});

test('unanswered counts the new offers that are older than some hours, without held ones', async () => {
  const read = async () =>
    (await (await tool('GET unanswered?hours=24')).json()) as { count: number; oldest: string };
  const before = await read();
  // Older than those of the tests before.
  await database.sql.exec(`
    insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at, status, held)
    select 'lap.app', '1', 'Ada', 'ada@example.com', now() - age, status, held
    from (values
      (interval '23 hours', 'pending', false), ('25 hours', 'pending', false), ('500 days', 'pending', false),
      ('600 days', 'accepted', false), ('700 days', 'pending', true)
    ) as made (age, status, held)`);
  const { count, oldest } = await read();
  assert.equal(count, before.count + 2);
  assert.equal(Math.round((Date.now() - Date.parse(oldest)) / 86_400_000), 500);
});

test('publish publishes the settings of the catalogue, and none for a build without them', async () => {
  const read = async () =>
    (await database.sql.query('select settings from private.published_catalogue')).rows[0];
  const publication = { entries: [], hosts: [], language: 'en', build: 'one' };
  const settings = { owner: 'Ada', replyWithin: '3 days' };
  await tool('POST publish', { publication: { ...publication, settings }, keepOld: false });
  assert.deepEqual(await read(), { settings });
  await tool('POST publish', { publication, keepOld: false });
  assert.deepEqual(await read(), { settings: {} });
});

test('offers, count and backup fail when the database is out of step', async () => {
  await database.sql.query('select $1::text', [PUTS_OUT_OF_STEP]);
  for (const name of ['offers', 'count', 'backup']) {
    await assert.rejects(tool(`GET ${name}`), /a statement returned a wrong result/, name);
  }
});
