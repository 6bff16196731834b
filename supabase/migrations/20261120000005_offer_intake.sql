-- The one way in for offers. A row of private.offer_receipts says which bot check's token (as a hash) became which
-- offer, so that the same request sent again finds its first answer and a used token opens no second door.
-- order-submit alone calls the two functions, with the service role.

create table private.offer_receipts (
  token_hash text primary key,
  -- Hash of the offer's texts: tells an honest repeat from another offer with a used token.
  payload_hash text not null,
  offer_id uuid not null references public.offers (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now()
);
create index offer_receipts_by_offer on private.offer_receipts (offer_id);
revoke all on table private.offer_receipts from public, anon, authenticated, service_role;

-- What the token's receipt says: {"outcome": "repeated", "id": …}, {"outcome": "conflict"} or null.
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

-- Before the bot check: an earlier answer, or one hit on the visitor's own limits and a look at the shared ones,
-- which only proven visitors use up. Outcome: new, repeated, conflict, or limited with the seconds to wait.
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

-- After the bot check: stores the offer once, whoever asks how often. The receipt comes first, so that a second
-- request with the same token waits for the first one's commit and then finds its answer.
-- Outcome: stored, repeated, conflict, or limited with the seconds to wait (then nothing is kept, hits excepted).
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
