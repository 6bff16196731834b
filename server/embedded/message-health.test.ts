import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Project } from '../backend-client/project.ts';
import { openBooted, serveDatabase } from './booted-database.fixture.ts';
import { healthOfMessages } from './message-health.ts';
import type { OpenDatabase } from './open-database.ts';
import { projectOf } from './with-project.ts';

let database: OpenDatabase;
let served: Awaited<ReturnType<typeof serveDatabase>>;
before(async () => {
  database = await openBooted();
  served = await serveDatabase(database);
});
beforeEach(async () => {
  await database.sql.exec(
    `delete from private.failing_servers; delete from private.messages;
     insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
     values ('lap.app', '1', 'Ada', 'ada@example.com')`,
  );
});
after(async () => {
  await served.close();
  await database.close();
});

test('messages that were dismissed, and confirmations whose address was rejected, are no fault', async () => {
  const health = () => healthOfMessages(projectOf(served.control));
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

test('a server that fails is named while it does, with what waits for it', async () => {
  const health = () => healthOfMessages(projectOf(served.control));
  await database.sql.exec(
    `insert into private.messages (kind, offer_id, target, reason, reason_at, attempts)
     select 'move', o.id, 'mailto:a@x.example', '535 5.7.8 no', now(), 1 from public.offers o limit 1;
     insert into private.failing_servers (server, problem, reply, lasting, confirmed, message_id)
     values ('mailto:', 'The mail server smtp.x.example does not accept the login.', 'login 535', true, true, 1)`,
  );
  assert.equal(
    await health(),
    'The mail server smtp.x.example does not accept the login. 1 message waits. The last response was: 535 5.7.8 no',
  );
  await database.sql.exec(
    'select public.mark_messages_sent(array(select id from private.messages where sent_at is null))',
  );
  assert.equal(await health(), true);
});

test('a message that waits for more than 10 minutes is reported, and a database that does not respond is not', async () => {
  const healthOf = (call: () => Promise<unknown>) => healthOfMessages({ call } as unknown as Project);
  const state = (wait_seconds: number) => async () => ({
    failed: 0,
    wait_seconds,
    reason: null,
    problems: [],
  });
  assert.equal(await healthOf(state(600)), true);
  assert.equal(await healthOf(state(601)), 'A message has been waiting for 10 minutes.');
  assert.equal(await healthOf(() => Promise.reject(new Error('no response'))), true);
});
