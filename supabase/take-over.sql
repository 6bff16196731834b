-- Takes over a database that the migrations before the baseline made: where it is as they made it, their versions leave the
-- table of migrations, and the baseline enters. Rows stay as they are. Changes nothing in any other database; all of it happens,
-- or nothing. No migration itself, because `supabase db push` rejects a database with versions that it has no file for.
-- DESCRIPTION stands for supabase/describe-schema.sql (server/embedded/take-over.ts). The owner's own tables and functions
-- in the schema public do not count.

do $$
declare
  baseline constant text := '20261207000001';
  -- The migrations before it, and the commit that has them.
  versions_before constant text[] := '{20261201000001,20261201000002,20261201000003,20261201000004,20261201000005,
    20261201000006,20261201000007,20261201000008,20261201000009,20261201000010,20261202000001,20261203000001,20261204000001,
    20261205000001,20261206000001,20261206000002,20261206000003}';
  commit_before constant text := '73fa65f3';
  search_path_before constant text := current_setting('search_path');
  difference text;
  -- Each object that they made, with the first 8 digits of the MD5 of its definition.
  made_by_them constant jsonb := '{
    "column private.admin_factors.key_id": "8f595cbd", "column private.admin_factors.last_step": "af8ef6ea",
    "column private.admin_factors.recovery_hashes": "ea198987", "column private.admin_factors.sealed": "8f595cbd",
    "column private.admin_factors.used_hashes": "ae68b48d", "column private.admin_factors.user_id": "06af2c79",
    "column private.admin_factors.wrong_at": "d8d3d304", "column private.admin_sessions.ends_at": "8593d866",
    "column private.admin_sessions.idle_minutes": "f80cab00", "column private.admin_sessions.opened_at": "1516a5c2",
    "column private.admin_sessions.refreshed_at": "1516a5c2", "column private.admin_sessions.session_id": "8f595cbd",
    "column private.admin_sessions.user_id": "06af2c79", "column private.admins.created_at": "1516a5c2",
    "column private.admins.user_id": "06af2c79", "column private.erased_offers.offer_id": "06af2c79",
    "column private.erasures.erased_at": "1516a5c2", "column private.erasures.id": "13606710",
    "column private.erasures.offers": "f80cab00", "column private.idempotency_keys.created_at": "1516a5c2",
    "column private.idempotency_keys.language": "3d142430", "column private.idempotency_keys.offer_id": "06af2c79",
    "column private.idempotency_keys.payload_hash": "8f595cbd", "column private.idempotency_keys.token_hash": "8f595cbd",
    "column private.listings.minimum": "c8b7d2d6", "column private.listings.minimum_currency": "3d142430",
    "column private.listings.name": "8f595cbd", "column private.listings.price": "3d142430",
    "column private.listings.state": "d37919bb", "column private.message_state.last_sent_at": "0e4855e3",
    "column private.message_state.mail": "78c974bc", "column private.message_state.paused_before": "0e4855e3",
    "column private.message_state.sent": "8afce886", "column private.message_state.single": "7ed03ba0",
    "column private.message_state.webhooks": "78c974bc", "column private.messages.address_rejected": "3723038a",
    "column private.messages.attempts": "78c974bc", "column private.messages.batch": "2c9967db",
    "column private.messages.created_at": "1516a5c2", "column private.messages.digest": "3723038a",
    "column private.messages.dismissed_at": "0e4855e3", "column private.messages.due_at": "1516a5c2",
    "column private.messages.failed_at": "0e4855e3", "column private.messages.give_up_at": "505035f2",
    "column private.messages.id": "13606710", "column private.messages.kind": "8f595cbd",
    "column private.messages.leased_until": "0e4855e3", "column private.messages.locale": "3d142430",
    "column private.messages.move_number": "78c974bc", "column private.messages.offer_id": "06af2c79",
    "column private.messages.reason": "3d142430", "column private.messages.reason_at": "0e4855e3",
    "column private.messages.sent_at": "0e4855e3", "column private.messages.target": "8f595cbd",
    "column private.offer_links.created_at": "1516a5c2", "column private.offer_links.nonce": "3d142430",
    "column private.offer_links.number": "f80cab00", "column private.offer_links.offer_id": "06af2c79",
    "column private.offer_links.token_hash": "8f595cbd", "column private.offer_messages.message": "8f595cbd",
    "column private.offer_messages.offer_id": "06af2c79", "column private.offer_moves.amount": "3d142430",
    "column private.offer_moves.changed_by": "2c9967db", "column private.offer_moves.created_at": "1516a5c2",
    "column private.offer_moves.id": "13606710", "column private.offer_moves.kind": "8f595cbd",
    "column private.offer_moves.note": "3d142430", "column private.offer_moves.number": "f80cab00",
    "column private.offer_moves.offer_id": "06af2c79", "column private.offer_moves.side": "8f595cbd",
    "column private.offer_moves.valid_until": "0e4855e3", "column private.offer_status_changes.changed_at": "1516a5c2",
    "column private.offer_status_changes.changed_by": "2c9967db", "column private.offer_status_changes.id": "13606710",
    "column private.offer_status_changes.new_status": "8f595cbd", "column private.offer_status_changes.offer_id": "06af2c79",
    "column private.offer_status_changes.old_status": "8f595cbd", "column private.published_catalogue.build": "3d142430",
    "column private.published_catalogue.built_at": "0e4855e3", "column private.published_catalogue.hosts": "ea198987",
    "column private.published_catalogue.language": "8f595cbd", "column private.published_catalogue.only_row": "7ed03ba0",
    "column private.published_catalogue.settings": "c101ff01", "column private.published_catalogue.version": "af8ef6ea",
    "column private.rate_limits.bucket": "8f595cbd", "column private.rate_limits.hits": "f80cab00",
    "column private.rate_limits.key_hash": "8f595cbd", "column private.rate_limits.window_end": "8593d866",
    "column private.rate_limits.window_start": "8593d866", "column public.offers.created_at": "1516a5c2",
    "column public.offers.customer_email": "8f595cbd", "column public.offers.customer_name": "8f595cbd",
    "column public.offers.domain_name": "8f595cbd", "column public.offers.held": "3723038a",
    "column public.offers.id": "21aa79a8", "column public.offers.low": "3723038a",
    "column public.offers.offer_amount": "8f595cbd", "column public.offers.status": "1bf4a3b0",
    "constraint private.admin_factors.admin_factors_pkey": "0a0db78b",
    "constraint private.admin_factors.admin_factors_user_id_fkey": "e308ce4b",
    "constraint private.admin_sessions.admin_sessions_idle_minutes_check": "f9335578",
    "constraint private.admin_sessions.admin_sessions_pkey": "11548a03",
    "constraint private.admin_sessions.admin_sessions_session_id_check": "f2db1760",
    "constraint private.admin_sessions.admin_sessions_user_id_fkey": "85d8b2f5",
    "constraint private.admins.admins_pkey": "0a0db78b", "constraint private.admins.admins_user_id_fkey": "85d8b2f5",
    "constraint private.erased_offers.erased_offers_pkey": "f22cecc2", "constraint private.erasures.erasures_pkey": "4c6419b3",
    "constraint private.idempotency_keys.idempotency_keys_language_check": "e8e386ad",
    "constraint private.idempotency_keys.idempotency_keys_offer_id_fkey": "829ae915",
    "constraint private.idempotency_keys.idempotency_keys_pkey": "38fa6cfa",
    "constraint private.listings.listings_minimum_check": "da110bea",
    "constraint private.listings.listings_name_check": "86f27ff6", "constraint private.listings.listings_pkey": "c302dc58",
    "constraint private.listings.listings_state_check": "58ee847a",
    "constraint private.listings.minimum_has_currency": "3af2ac37",
    "constraint private.message_state.message_state_pkey": "39ae8009",
    "constraint private.message_state.message_state_single_check": "75b94744",
    "constraint private.messages.messages_kind_check": "de70faa8",
    "constraint private.messages.messages_offer_id_fkey": "deae1ee2", "constraint private.messages.messages_once": "e4a4a13b",
    "constraint private.messages.messages_pkey": "4c6419b3", "constraint private.messages.messages_reason_check": "3a7cf975",
    "constraint private.offer_links.offer_links_nonce_check": "41a07e63",
    "constraint private.offer_links.offer_links_number_check": "e83b6b53",
    "constraint private.offer_links.offer_links_offer_id_fkey": "deae1ee2",
    "constraint private.offer_links.offer_links_offer_id_number_key": "7ecd4a87",
    "constraint private.offer_links.offer_links_pkey": "38fa6cfa",
    "constraint private.offer_links.offer_links_token_hash_check": "61f22fd9",
    "constraint private.offer_messages.offer_messages_message_check": "d37eaa13",
    "constraint private.offer_messages.offer_messages_offer_id_fkey": "deae1ee2",
    "constraint private.offer_messages.offer_messages_pkey": "f22cecc2",
    "constraint private.offer_moves.offer_moves_amount_check": "c138afb9",
    "constraint private.offer_moves.offer_moves_kind_check": "8579fe87",
    "constraint private.offer_moves.offer_moves_note_check": "edafc176",
    "constraint private.offer_moves.offer_moves_number_check": "ad8ca619",
    "constraint private.offer_moves.offer_moves_offer_id_fkey": "deae1ee2",
    "constraint private.offer_moves.offer_moves_offer_id_number_key": "7ecd4a87",
    "constraint private.offer_moves.offer_moves_pkey": "4c6419b3",
    "constraint private.offer_moves.offer_moves_side_check": "5cc7306f",
    "constraint private.offer_status_changes.offer_status_changes_pkey": "4c6419b3",
    "constraint private.published_catalogue.published_catalogue_only_row_check": "9c36ac46",
    "constraint private.published_catalogue.published_catalogue_pkey": "ca772043",
    "constraint private.published_catalogue.published_catalogue_settings_check": "b0e88010",
    "constraint private.rate_limits.rate_limits_pkey": "74673ff6",
    "constraint public.offers.offers_customer_email_check": "99e9173f",
    "constraint public.offers.offers_customer_name_check": "105c8b8a",
    "constraint public.offers.offers_domain_name_check": "6d259d76",
    "constraint public.offers.offers_offer_amount_check": "3789a91b", "constraint public.offers.offers_pkey": "4c6419b3",
    "constraint public.offers.offers_status_check": "759ae1a9", "default privileges of functions": "d41d8cd9",
    "default privileges of sequences": "d41d8cd9", "default privileges of tables": "d41d8cd9",
    "function private.acquire_delivery(kind text, target text, after timestamp with time zone, lease_seconds integer)": "e0cdd8d0",
    "function private.close_negotiation()": "96f3175a", "function private.count_hits(limits jsonb)": "7375f0fb",
    "function private.count_hits_unless_full(limits jsonb)": "e588617b",
    "function private.describe_delivery(ids bigint[])": "f17c50a1",
    "function private.earlier_offer(token_hash text, payload_hash text)": "70351a2c",
    "function private.erase_offers(ids uuid[])": "a9415703",
    "function private.find_statement(filter jsonb, from_newest boolean)": "a6e80b9b",
    "function private.give_up(ids bigint[])": "a7c41cca",
    "function private.has_auth_session(session_id text, user_id uuid)": "ddc1d336", "function private.is_admin()": "2706d217",
    "function private.is_link_good(link private.offer_links)": "025482e7",
    "function private.lease(ids bigint[], batch uuid, lease_seconds integer)": "ae0b8b53",
    "function private.lock_moves(name text)": "7b6bc8f0", "function private.log_status_change()": "f15ce62b",
    "function private.low_mark(low boolean)": "0e47982b",
    "function private.make_move(offer_id uuid, side text, move jsonb, mail boolean, targets text[], mail_limits jsonb)": "d2b5c441",
    "function private.moved_table(kind text, OUT name text, OUT key text)": "f9157d96",
    "function private.negotiation(offer_id uuid, viewer text)": "dd2e9ded",
    "function private.newest_link(offer_id uuid)": "c3f450fb", "function private.offer_condition(filter jsonb)": "688d48d0",
    "function private.offer_order(filter jsonb)": "e5b49745", "function private.queue_deadlines(targets text[])": "50dca506",
    "function private.queue_messages(offer_id uuid, held boolean, messages jsonb)": "b03de454",
    "function private.reject_change_but_status()": "73ff33e8", "function private.reject_removal()": "9749d513",
    "function private.reply_within()": "91551f13", "function private.require_admin()": "be89a48e",
    "function private.retry_delay(attempts integer)": "cd97a199",
    "function private.seconds_until_free(limits jsonb)": "fc042200",
    "function private.store_minimums(entries jsonb)": "ee0ce407",
    "function private.stored_moves(offer_id uuid, viewer text)": "002b182f",
    "function private.window_start(seconds integer, at timestamp with time zone)": "b87f6359",
    "function public.acquire_messages(max integer, lease_seconds integer, sent bigint[])": "2e8796e0",
    "function public.asking_prices(names text[])": "0d0cb3d5",
    "function public.begin_bot_check(token_hash text, payload_hash text, sender jsonb, checks jsonb)": "28f004e1",
    "function public.begin_sign_in(limits jsonb)": "af526b8d",
    "function public.count_offers(newest_created_at timestamp with time zone, newest_id uuid)": "ec05ece3",
    "function public.dismiss_message(id bigint)": "55c1a49c", "function public.end_admin_sessions(user_id uuid)": "4fc38a3c",
    "function public.erase_customer(email text)": "0c2887b5",
    "function public.export_offers(page_size integer, before_created_at timestamp with time zone, before_id uuid)": "142b1dd6",
    "function public.extend_admin_session()": "0770e7fd",
    "function public.find_offers(filter jsonb, from_created_at timestamp with time zone, from_id uuid, page_size integer)": "fcdd252e",
    "function public.grant_administrator(user_id uuid)": "1855d126", "function public.make_messages_due()": "5bd741b0",
    "function public.mark_messages_failed(ids bigint[], reason text, permanent boolean, address_rejected boolean)": "8149c2eb",
    "function public.mark_messages_sent(ids bigint[])": "d0c13fa0",
    "function public.message_lines(offer_ids uuid[])": "823496c4", "function public.message_status()": "27d13bb9",
    "function public.negotiate_as_buyer(token_hash text, limits jsonb, move jsonb, targets text[])": "4a45778b",
    "function public.negotiate_as_owner(offer_id uuid, move jsonb, link jsonb, mail boolean, mail_limits jsonb)": "97ee5422",
    "function public.new_offers(since timestamp with time zone)": "136cfc6a", "function public.offer_counts()": "48a93c4c",
    "function public.offer_history(offer_id uuid)": "df1b6f61", "function public.offer_message(offer_id uuid)": "680f0341",
    "function public.offer_pages(page_size integer, filter jsonb)": "24ab1198",
    "function public.open_admin_session(user_id uuid, session_id text, hours integer, idle_minutes integer, step bigint, recovery text)": "ce73eb13",
    "function public.pause_messages()": "6d02d04e",
    "function public.publish_listings(entries jsonb, hosts text[], keep_previous boolean, language text, build text, built_at timestamp with time zone, settings jsonb)": "c6047762",
    "function public.purge_offers(older_than interval, accepted boolean, purge boolean)": "425b23e5",
    "function public.queue_overdue(targets text[])": "6e474eb5", "function public.read_access()": "d0d9e257",
    "function public.read_administrators()": "63873138", "function public.read_customer(email text)": "bebcd309",
    "function public.read_link_hashes()": "e647e3f7",
    "function public.read_listings(known bigint, known_build text)": "25c2ded4",
    "function public.read_message_state()": "0f943f8f", "function public.read_rows(kind text, after text)": "448bc2ca",
    "function public.read_unanswered(hours integer)": "4c5107fa",
    "function public.receive_rows(kind text, rows jsonb)": "8c64dc63",
    "function public.release_hits(limits jsonb, counted_at timestamp with time zone)": "d87144cb",
    "function public.remove_expired()": "2b8c51de", "function public.remove_factor(user_id uuid)": "f49265a2",
    "function public.remove_offer(offer_id uuid)": "6672e7d2",
    "function public.report_delivery(mail integer, webhooks integer)": "e60dbb1f",
    "function public.resume_messages()": "2dd00ac3", "function public.retry_messages()": "fdf62314",
    "function public.revoke_administrator(user_id uuid)": "fb17be7a",
    "function public.set_factor(user_id uuid, sealed text, key_id text, step bigint, recovery_hashes text[])": "52c8e4a0",
    "function public.submit_offer(offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb, expired boolean, messages jsonb)": "c3e3ec82",
    "index private.admin_factors_pkey": "25ec7a4e", "index private.admin_sessions_by_user": "4da8a1ab",
    "index private.admin_sessions_pkey": "62e5e576", "index private.admins_pkey": "7f69567b",
    "index private.confirmations_by_mailbox": "e2d1c2c2", "index private.confirmations_rejected": "fa3d4eec",
    "index private.erased_offers_pkey": "0de37a28", "index private.erasures_pkey": "42ddcb60",
    "index private.idempotency_keys_by_offer": "98f03102", "index private.idempotency_keys_pkey": "0726f610",
    "index private.listings_pkey": "0bf21139", "index private.message_state_pkey": "75b358ef",
    "index private.messages_by_target": "5e2d2051", "index private.messages_not_delivered": "2b3082fd",
    "index private.messages_once": "1d948e4c", "index private.messages_pkey": "6d3b9233",
    "index private.messages_queued": "a68ec715", "index private.messages_to_customers": "600a70e3",
    "index private.offer_links_offer_id_number_key": "bdbba0ba", "index private.offer_links_pkey": "7ff2789b",
    "index private.offer_messages_pkey": "a5b2428a", "index private.offer_moves_accepted": "c4d596a8",
    "index private.offer_moves_by_end": "3b393ab5", "index private.offer_moves_offer_id_number_key": "5fe8cb67",
    "index private.offer_moves_pkey": "e15141af", "index private.offer_status_changes_by_offer": "be73057c",
    "index private.offer_status_changes_pkey": "7e08f5b5", "index private.published_catalogue_pkey": "8464e0ed",
    "index private.rate_limits_by_end": "f06056e5", "index private.rate_limits_pkey": "8ff230c4",
    "index public.offers_by_customer": "df113692", "index public.offers_by_domain": "b198469d",
    "index public.offers_by_status": "84f85d78", "index public.offers_by_text": "a0ae9c01",
    "index public.offers_held": "c5f91df3", "index public.offers_low": "7605c5fa",
    "index public.offers_newest_first": "b242e5b3", "index public.offers_pkey": "62fbb2c9",
    "policy public.offers.administrators change the status of any offer": "3fd54471",
    "policy public.offers.administrators read every offer": "870c5c8d", "schema private": "9e969e13",
    "table private.admin_factors": "42e33ca3", "table private.admin_sessions": "42e33ca3", "table private.admins": "42e33ca3",
    "table private.erased_offers": "42e33ca3", "table private.erasures": "42e33ca3",
    "table private.erasures_id_seq": "dc8e4108", "table private.idempotency_keys": "42e33ca3",
    "table private.listings": "42e33ca3", "table private.message_state": "42e33ca3", "table private.messages": "42e33ca3",
    "table private.messages_id_seq": "dc8e4108", "table private.offer_links": "42e33ca3",
    "table private.offer_messages": "42e33ca3", "table private.offer_moves": "42e33ca3",
    "table private.offer_moves_id_seq": "dc8e4108", "table private.offer_status_changes": "42e33ca3",
    "table private.offer_status_changes_id_seq": "dc8e4108", "table private.published_catalogue": "42e33ca3",
    "table private.rate_limits": "42e33ca3", "table public.offers": "349a785a",
    "trigger private.offer_moves.moves_are_not_changed": "cfa8803e", "trigger public.offers.offers_are_not_deleted": "5632cd24",
    "trigger public.offers.offers_are_not_truncated": "5ae59f7e", "trigger public.offers.only_the_status_changes": "ecdf169e",
    "trigger public.offers.status_changes_are_logged": "dfb81ca0",
    "trigger public.offers.statuses_close_negotiations": "b9169d81"
  }';
begin
  -- A new database; then the table of migrations may be missing, too. (From before the first release there is offer_receipts.)
  if coalesce(to_regclass('private.admins'), to_regclass('private.offer_receipts')) is null then
    return;
  end if;
  if exists (select from supabase_migrations.schema_migrations where version = baseline) then
    return;
  end if;
  if not exists (select from supabase_migrations.schema_migrations where version = versions_before[17]) then
    raise exception 'The database is of an older version, which this one does not take over. Nothing was changed. Update it with the commit % of this product first.',
      commit_before;
  end if;

  perform set_config('search_path', '', true);
  with found as (
    DESCRIPTION
  ), expected as (
    select key as object, value as digest from jsonb_each_text(made_by_them)
  )
  select concat(coalesce(e.object, f.object), case
      when f.object is null then ' is missing' when e.object is null then ' was added' else ' was changed' end)
  into difference
  from found f full join expected e on e.object = f.object
  where e.digest is distinct from left(md5(f.definition), 8)
    and (e.object is not null or f.object ~ '^\w+ private\.' or f.belongs_to in (select x.object from expected x))
  order by coalesce(e.object, f.object) collate "C" limit 1;
  perform set_config('search_path', search_path_before, true);
  if difference is not null then
    raise exception 'The database is not as the migrations made it: %. Nothing was changed. Undo that, then run this again.', difference;
  end if;

  delete from supabase_migrations.schema_migrations where version = any (versions_before);
  -- Of two at once, the second one waits here for the first.
  insert into supabase_migrations.schema_migrations (version, name) values (baseline, 'baseline') on conflict do nothing;
end;
$$;
