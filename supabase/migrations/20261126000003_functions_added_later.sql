-- The functions that 20261123000002 and 20261123000004 have gained since they were first published. A database that had
-- applied them before lacks these, and rejected every offer after an update; in any other one this changes nothing.

-- Returns the seconds until the limits put no offer beyond the step `max_work`, 0 if they do not.
create or replace function private.wait_for_step(steps jsonb, max_work integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(max(private.seconds_left(r.window_start, l."window")), 0)
  from jsonb_to_recordset(steps) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits / greatest(l.max, 1) > wait_for_step.max_work;
$$;
revoke all on function private.wait_for_step(jsonb, integer) from public, anon, authenticated, service_role;

-- Returns the limits in "after" of `held_limits`.
create or replace function private.limits_before(held_limits jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(one -> 'after'), '[]'::jsonb)
  from jsonb_array_elements(held_limits) as one
  where one ? 'after';
$$;
revoke all on function private.limits_before(jsonb) from public, anon, authenticated, service_role;

-- Returns `held_limits` without those with "after" if the limits in "after" are not full.
create or replace function private.limits_after(held_limits jsonb, is_full boolean) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(one), '[]'::jsonb)
  from jsonb_array_elements(held_limits) as one
  where is_full or not one ? 'after';
$$;
revoke all on function private.limits_after(jsonb, boolean) from public, anon, authenticated, service_role;

-- Returns the limits that count a held offer: those of its sender, and the others only if a limit that counts all
-- senders put it beyond the hardest step.
create or replace function private.held_limits_of(held_limits jsonb, is_shared boolean) returns jsonb
language sql immutable set search_path = ''
as $$
  select case when is_shared then held_limits else jsonb_path_query_array(held_limits, '$[*] ? (@.own == true)') end;
$$;
revoke all on function private.held_limits_of(jsonb, boolean) from public, anon, authenticated, service_role;

-- Counts a held offer and returns the seconds to wait, 0 if it may be stored; otherwise nothing is counted. The limits
-- in "after" are counted first: their rows are locked before all others, so that two offers cannot deadlock.
create or replace function private.take_held(held_limits jsonb, is_shared boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  counted jsonb := private.held_limits_of(held_limits, is_shared);
  before jsonb := private.limits_before(counted);
  wait integer;
begin
  counted := private.limits_after(counted, private.take(before) > 0);
  wait := private.take(counted);
  if wait > 0 then
    perform private.give_back(counted);
    perform private.give_back(before);
  end if;
  return wait;
end;
$$;
revoke all on function private.take_held(jsonb, boolean) from public, anon, authenticated, service_role;

-- Returns the seconds to wait as take_held does, without counting.
create or replace function private.look_at_held(held_limits jsonb, is_shared boolean) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  counted jsonb := private.held_limits_of(held_limits, is_shared);
begin
  return private.look(private.limits_after(counted, private.look(private.limits_before(counted)) > 0));
end;
$$;
revoke all on function private.look_at_held(jsonb, boolean) from public, anon, authenticated, service_role;

drop function if exists public.announce_offer(text, text, jsonb, jsonb);

-- Runs before the bot check and writes nothing. `failures` are the limits of failed bot checks; `max_work` and
-- `held_limits` are those of submit_offer.
-- Returns {"outcome": "repeated", "id"} or {"outcome": "conflict"} if the token has a receipt, {"outcome": "limited",
-- "wait"} (seconds) after too many failed checks or while submit_offer would return it, otherwise {"outcome": "new",
-- "step"}: the step whose work is needed.
create or replace function public.announce_offer(
  token_hash text, payload_hash text, steps jsonb, failures jsonb default '[]', max_work integer default 0,
  held_limits jsonb default '[]'
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  earlier jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer;
  step integer;
  shared_step integer;
begin
  if earlier is not null then
    return earlier;
  end if;
  wait := private.look(failures);
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;
  step := private.look_at_steps(steps);
  if step > max_work then
    shared_step := private.look_at_steps(jsonb_path_query_array(steps, '$[*] ? (!(@.own == true))'));
    if private.look_at_held(held_limits, shared_step > max_work) > 0 then
      return jsonb_build_object('outcome', 'limited', 'wait', private.wait_for_step(steps, max_work));
    end if;
  end if;
  return jsonb_build_object('outcome', 'new', 'step', step);
end;
$$;
revoke all on function public.announce_offer(text, text, jsonb, jsonb, integer, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.announce_offer(text, text, jsonb, jsonb, integer, jsonb) to service_role;

-- Returns whether use_once returned true for a key whose time is not over.
create or replace function private.is_used(key_hash text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.rate_limits r
    where r.bucket = 'used' and r.key_hash = is_used.key_hash and r.window_end > now()
  );
$$;
revoke all on function private.is_used(text) from public, anon, authenticated, service_role;

-- Counts an attempt with a proof if its `level` is enough, and marks the proof (`key_hash`) as used for `seconds`.
-- forgive_sign_in takes the hit back. Reads before it writes: a proof that is used or has too little work writes
-- nothing, unless a concurrent attempt used it or raised the level in between.
-- Returns {"outcome": "begun"}, or, with nothing counted, {"outcome": "used"} or {"outcome": "harder", "level"}.
create or replace function public.begin_sign_in_by_proof(
  key_hash text, seconds integer, account_limits jsonb, level integer, max_level integer
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  needed integer := least(private.look_at_steps(account_limits), max_level);
begin
  if private.is_used(key_hash) then
    return jsonb_build_object('outcome', 'used');
  end if;
  if needed > level then
    return jsonb_build_object('outcome', 'harder', 'level', needed);
  end if;
  needed := least(private.count_steps(account_limits), max_level);
  if needed > level then
    perform private.give_back(account_limits);
    return jsonb_build_object('outcome', 'harder', 'level', needed);
  end if;
  if not public.use_once(key_hash, seconds) then
    perform private.give_back(account_limits);
    return jsonb_build_object('outcome', 'used');
  end if;
  return jsonb_build_object('outcome', 'begun');
end;
$$;
revoke all on function public.begin_sign_in_by_proof(text, integer, jsonb, integer, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.begin_sign_in_by_proof(text, integer, jsonb, integer, integer) to service_role;
