const NOBODY = '00000000-0000-4000-8000-000000000000';

/**
 * The functions of the database that are for service_role alone, with arguments that change nothing even where a grant
 * is wrong. PostgREST finds a function by the names of its arguments.
 */
export const SERVICE_CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  grant_administrator: { user_id: NOBODY },
  begin_bot_check: { token_hash: 'x', payload_hash: 'x', sender: [], checks: [] },
  begin_sign_in: { limits: [] },
  count_offers: {},
  revoke_administrator: { user_id: NOBODY },
  end_admin_sessions: { user_id: NOBODY },
  erase_customer: { email: 'nobody@example.invalid' },
  export_offers: { page_size: 0 },
  make_messages_due: {},
  mark_messages_failed: { ids: [], reason: 'x', permanent: false },
  mark_messages_sent: { ids: [] },
  negotiate_as_buyer: { token_hash: 'x', limits: [] },
  open_admin_session: { user_id: NOBODY, session_id: 'x', hours: 1, idle_minutes: 5 },
  publish_listings: { entries: [], hosts: [], keep_previous: true },
  queue_overdue: { targets: [] },
  purge_offers: { older_than: '1000 years', accepted: false },
  read_access: {},
  read_administrators: {},
  read_customer: { email: 'nobody@example.invalid' },
  read_link_hashes: {},
  read_listings: {},
  read_message_state: {},
  read_rows: { kind: 'erased_offers' },
  read_unanswered: { hours: 24 },
  receive_rows: { kind: 'offers', rows: [] },
  remove_expired: {},
  remove_factor: { user_id: NOBODY },
  report_delivery: { mail: 0, webhooks: 0 },
  resume_messages: {},
  set_factor: { user_id: NOBODY, sealed: 'x', key_id: 'x', step: 0, recovery_hashes: [] },
  submit_offer: { offer: {}, token_hash: 'x', payload_hash: 'x', limits: {} },
  release_hits: { limits: [] },
  acquire_messages: { max: 0, lease_seconds: 1 },
};
