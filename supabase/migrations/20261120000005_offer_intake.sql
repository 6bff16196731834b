-- Storing offers. A row of private.offer_receipts maps the hash of a bot check's token to the offer that was stored for
-- it, so that a repeated request gets the first outcome and a token is good for one offer. The two functions here are
-- for order-submit alone, with the service role; 20261123000002 replaces both.

create table private.offer_receipts (
  token_hash text primary key,
  -- Hash of the offer's texts: distinguishes a repeated request from another offer with a used token.
  payload_hash text not null,
  offer_id uuid not null references public.offers (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now()
);
create index offer_receipts_by_offer on private.offer_receipts (offer_id);
revoke all on table private.offer_receipts from public, anon, authenticated, service_role;

-- Returns the outcome for a token that has a receipt: {"outcome": "repeated", "id": …} or {"outcome": "conflict"};
-- null without one.
create function private.earlier_offer(token_hash text, payload_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case when r.payload_hash = earlier_offer.payload_hash
    then jsonb_build_object('outcome', 'repeated', 'id', r.offer_id)
    else jsonb_build_object('outcome', 'conflict')
  end
  from private.offer_receipts r where r.token_hash = earlier_offer.token_hash;
$$;
revoke all on function private.earlier_offer(text, text) from public, anon, authenticated, service_role;

-- Runs before the bot check. Returns the earlier outcome, or counts one hit in the visitor's own limits and reads the
-- shared ones, which only requests that passed the bot check count. Outcome: new, repeated, conflict, or limited with
-- the seconds to wait.
create function public.announce_offer(token_hash text, payload_hash text, own_limits jsonb, shared_limits jsonb)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  answer jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer;
begin
  if answer is not null then
    return answer;
  end if;
  wait := greatest(private.take(own_limits), private.look(shared_limits));
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;
  return jsonb_build_object('outcome', 'new');
end;
$$;

-- Runs after the bot check and stores the offer once, however often the request comes. The receipt is written first, so
-- that a second request with the same token waits for the first one's commit and then finds its outcome.
-- Outcome: stored, repeated, conflict, or limited with the seconds to wait (then only the hits are stored).
create function public.submit_offer(offer jsonb, token_hash text, payload_hash text, shared_limits jsonb)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id uuid := gen_random_uuid();
  wait integer;
begin
  insert into private.offer_receipts (token_hash, payload_hash, offer_id)
  values (submit_offer.token_hash, submit_offer.payload_hash, new_id)
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  wait := private.take(shared_limits);
  if wait > 0 then
    delete from private.offer_receipts r where r.offer_id = new_id;
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;

  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email)
  values (new_id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email');
  return jsonb_build_object('outcome', 'stored', 'id', new_id);
end;
$$;

revoke all on function public.announce_offer(text, text, jsonb, jsonb) from public, anon, authenticated, service_role;
revoke all on function public.submit_offer(jsonb, text, text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.announce_offer(text, text, jsonb, jsonb) to service_role;
grant execute on function public.submit_offer(jsonb, text, text, jsonb) to service_role;
