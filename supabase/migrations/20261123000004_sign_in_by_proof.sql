-- Sign-in with a proof of work. Such attempts bypass the limits of IPs, but are counted for the account: each time
-- that this count is full again, the next proof for the account needs twice the work (its level). The account is not
-- locked; guesses of its password become more expensive.

-- Returns true for the first call with a key within `seconds`, otherwise false: a proof is good for one sign-in.
create function public.use_once(key_hash text, seconds integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
  values ('used', use_once.key_hash, 'epoch', now() + make_interval(secs => seconds), 1)
  on conflict on constraint rate_limits_pkey do update set window_end = excluded.window_end
    where r.window_end <= now();
  return found;
end;
$$;
revoke all on function public.use_once(text, integer) from public, anon, authenticated, service_role;
grant execute on function public.use_once(text, integer) to service_role;

-- Returns whether use_once returned true for a key whose time is not over.
create function private.is_used(key_hash text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from private.rate_limits r
    where r.bucket = 'used' and r.key_hash = is_used.key_hash and r.window_end > now()
  );
$$;
revoke all on function private.is_used(text) from public, anon, authenticated, service_role;

drop function public.begin_sign_in(jsonb, jsonb, jsonb);

-- Counts an attempt without a proof. Writes nothing while one of `limits` is full, otherwise each rejected attempt
-- would add rows for the email in it. `proof_limits` are read and not counted: they give the level of the next proof.
-- Returns {"wait": seconds, "harder": whether harder_limits were counted, "level": integer}.
create function public.begin_sign_in(
  limits jsonb, account_limits jsonb, harder_limits jsonb, proof_limits jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer := private.look(limits);
  harder boolean := false;
begin
  if wait = 0 then
    wait := private.take(limits);
    if wait = 0 and private.take(account_limits) > 0 then
      harder := true;
      wait := private.take(harder_limits);
    end if;
  end if;
  return jsonb_build_object('wait', wait, 'harder', harder, 'level', private.look_at_steps(proof_limits));
end;
$$;
revoke all on function public.begin_sign_in(jsonb, jsonb, jsonb, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.begin_sign_in(jsonb, jsonb, jsonb, jsonb) to service_role;

-- Counts an attempt with a proof if its `level` is enough, and marks the proof (`key_hash`) as used for `seconds`.
-- forgive_sign_in takes the hit back. Reads before it writes: a proof that is used or has too little work writes
-- nothing, unless a concurrent attempt used it or raised the level in between.
-- Returns {"outcome": "begun"}, or, with nothing counted, {"outcome": "used"} or {"outcome": "harder", "level"}.
create function public.begin_sign_in_by_proof(
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
