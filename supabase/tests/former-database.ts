/**
 * The database before the baseline: its migrations, and rows of every table. The data folder and the backup of
 * tests/product/before-the-baseline.*.br have these rows: the last commit with those migrations started the product, FORMER_ROWS
 * ran, and its npm run backup wrote the file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { PRIVATE_TABLES } from '../../commands/hosted/outside-check/expected-access.ts';
import type { Migration } from '../../server/embedded/migrate.ts';

export const FORMER_MIGRATIONS: readonly Migration[] = JSON.parse(
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'former-migrations.json.br'))).toString(),
);

/** For a database with one administrator. */
export const FORMER_ROWS = `
  select public.open_admin_session(user_id, 'session', 12, 120) from private.admins;
  select public.set_factor(user_id, 'sealed', 'key', 100, '{one,two}') from private.admins;
  update private.admin_factors set used_hashes = '{three}', wrong_at = array[now()];
  select public.open_admin_session(user_id, 'session', 12, 120, 101) from private.admins;
  select public.publish_listings('[{"name": "lap.app", "price": "$9,000", "minimum": {"amount": 2000, "currency": "USD"}},
    {"name": "sold.example", "state": "sold"}]', '{names.example}', false, 'de', 'b', now(), '{"replyWithin": "3 days"}');
  select public.submit_offer(
    jsonb_build_object('domain_name', 'lap.app', 'offer_amount', amount, 'customer_name', 'Ada "Lovelace" 😀',
      'customer_email', token || '@example.com', 'message', E'Two\\nlines', 'locale', 'fr',
      'price', jsonb_build_object('amount', price, 'currency', 'USD')),
    token, 'texts', limits || '{"sender": [{"bucket": "sender", "key": "a0", "max": 9, "window": 1000000000}]}', '[]', false,
    '[{"kind": "offer", "target": "mailto:owner@example.com"}, {"kind": "offer", "target": "https://hook.example"}]'
      || jsonb_build_array(jsonb_build_object('kind', 'confirmation', 'target', 'mailto:' || token || '@example.com'))
  ) from (values
    ('plain', '$3,000', 3000, '{}'::jsonb), ('low', '$5', 5, '{}'), ('erased', '$6,000', 6000, '{}'),
    ('bought', '$7,000', 7000, '{}'), ('closed', '$8,000', 8000, '{}'),
    ('held', '$4,000', 4000, '{"shared": [{"bucket": "all", "key": "b1", "max": 0, "window": 1000000000}]}'),
    ('both', '$1', 1, '{"shared": [{"bucket": "all", "key": "b1", "max": 0, "window": 1000000000}]}')
  ) as o (token, amount, price, limits);
  select private.make_move(id, 'owner', '{"kind": "counter", "seen": 1, "amount": "$8,500", "days": 7, "note": "Escrow?"}', true,
    '{}', '[]') from public.offers where customer_email = 'bought@example.com';
  insert into private.offer_links (token_hash, offer_id, number, nonce)
  select repeat('a' || number, 32), id, number, case number when 2 then repeat('0', 32) end
  from public.offers, generate_series(1, 2) as number where customer_email = 'bought@example.com';
  select public.negotiate_as_buyer(repeat('a2', 32), '[]', '{"kind": "accept", "seen": 2}', '{mailto:owner@example.com}');
  update public.offers set status = 'rejected' where customer_email = 'closed@example.com';
  insert into private.offer_status_changes (offer_id, old_status, new_status, changed_by)
  select o.id, 'pending', 'negotiating', a.user_id from public.offers o, private.admins a;
  select public.mark_messages_sent(array(select id from private.messages where kind = 'offer' order by id limit 2));
  select public.mark_messages_failed(array(select id from private.messages where kind = 'confirmation'), 'No.', true, true);
  select public.queue_overdue('{mailto:owner@example.com}');
  update private.message_state set paused_before = now() - interval '1 day', mail = 1, webhooks = 1;
  select public.erase_customer('erased@example.com');
`;

const TABLES = ['public.offers', ...PRIVATE_TABLES.map((name) => `private.${name}`)];

/** A row for each table: its name, and its rows as one text. */
export const ALL_ROWS = TABLES.map(
  (name) =>
    `select '${name}' as name, (select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) from ${name} t) as rows`,
).join(' union all ');
