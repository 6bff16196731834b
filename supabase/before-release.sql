-- Makes way for the migrations in a database from before the first release, which has versions that are no files any more:
-- moves its tables to the schema before_release, drops its functions, and forgets those versions. The migration
-- …_rows_from_before_the_release then copies the rows. No migration itself, because `supabase db push` rejects a database
-- with versions that it has no file for. Changes nothing in any other database; all of it happens, or nothing.

do $$
declare
  one record;
begin
  -- Not by its versions, of which "supabase migration repair", the hint of "supabase db push", leaves none.
  if to_regclass('private.offer_receipts') is null then
    return;
  end if;
  delete from supabase_migrations.schema_migrations where version between '20261120' and '20261201';
  alter schema private rename to before_release;
  alter table public.offers set schema before_release;
  for one in
    select p.oid::regprocedure as signature from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname in (
      'announce_offer', 'appoint_administrator', 'asking_prices', 'begin_bot_check', 'begin_sign_in',
      'begin_sign_in_by_proof', 'count_failed_check', 'count_offers', 'dismiss_administrator', 'dismiss_message',
      'end_admin_sessions', 'erase_customer', 'export_offers', 'extend_admin_session', 'find_offers', 'forgive_sign_in',
      'is_administrator', 'make_messages_due', 'mark_messages_failed', 'mark_messages_sent', 'message_status',
      'new_offers', 'offer_counts', 'offer_history', 'offer_message', 'offer_pages', 'open_admin_session',
      'pause_messages', 'publish_listings', 'queue_overdue', 'read_access', 'read_administrators', 'read_listings',
      'read_message_state', 'read_rows', 'read_unanswered', 'receive_rows', 'remove_expired', 'report_delivery',
      'resume_messages', 'retry_messages', 'submit_offer', 'take_back_hits', 'take_messages', 'use_once'
    )
  loop
    execute format('drop function %s', one.signature);
  end loop;
end;
$$;
