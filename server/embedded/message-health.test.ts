import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
after(async () => {
  await served.close();
  await database.close();
});

test('messages that were dismissed, and confirmations whose address was rejected, are no fault', async () => {
  const health = () => healthOfMessages(projectOf(served.control));
  await database.sql.exec(
    `with offer as (
       insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
       values ('lap.app', '1', 'Ada', 'ada@example.com') returning id
     )
     insert into private.messages (kind, offer_id, target, reason, reason_at, failed_at, created_at, address_rejected)
     select v.kind, o.id, v.target, v.reason, now(), v.failed_at, now() - interval '1 hour', v.kind = 'confirmation'
     from offer as o,
       (values ('confirmation', 'mailto:a@x.example', '550 unknown', now()),
         ('confirmation', 'mailto:b@x.example', '450 unknown', null),
         ('offer', 'mailto:c@x.example', '554 no', now())) as v (kind, target, reason, failed_at)`,
  );
  assert.equal(await health(), '1 message was not sent. The last response was: 554 no');
  await database.sql.exec(`update private.messages set dismissed_at = now() where kind = 'offer'`);
  assert.equal(await health(), true);
});
