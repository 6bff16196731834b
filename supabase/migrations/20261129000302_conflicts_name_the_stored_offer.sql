-- A conflict names the offer that was stored with the token, so that order-submit caches it: any other texts with the same
-- token are then rejected without a call of the database, also after a restart.

-- Returns the outcome for a token that has a receipt: {"outcome": "repeated", "id"} or, for other texts than those of the
-- stored offer, {"outcome": "conflict", "id", "payload_hash"} of the stored one; null without a receipt.
create or replace function private.earlier_offer(token_hash text, payload_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case when r.payload_hash = earlier_offer.payload_hash
    then jsonb_build_object('outcome', 'repeated', 'id', r.offer_id)
    else jsonb_build_object('outcome', 'conflict', 'id', r.offer_id, 'payload_hash', r.payload_hash)
  end
  from private.offer_receipts r where r.token_hash = earlier_offer.token_hash;
$$;
