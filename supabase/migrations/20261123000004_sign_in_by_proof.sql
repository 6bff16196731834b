-- Attempts to sign in with a proof of work go around the limits of addresses, but not around a count of the account:
-- each time that this count is full once more, the next proof for the account needs twice the work (its level). An
-- account is not locked by it; guesses of its password become more expensive.

-- Counts one hit in every limit and returns the seconds to wait: 0 while all of them allow more. As before, except that
-- hits beyond a limit are counted too: give_back would otherwise take back hits that were never counted.
create or replace function private.take(limits jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
  counted integer;
  wait integer := 0;
begin
  if random() < 0.01 then
    delete from private.rate_limits where (bucket, key_hash, window_start) in (
      select bucket, key_hash, window_start from private.rate_limits
      where window_end < now() limit 1000 for update skip locked
    );
  end if;
  for one in
    select l.bucket, l.key, l.max, l."window", private.window_start(l."window") as started
    from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
    order by l.bucket, l.key
  loop
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    values (one.bucket, one.key, one.started, one.started + make_interval(secs => one."window"), 1)
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning hits into counted;
    if counted > one.max then
      wait := greatest(wait, private.seconds_left(one.started, one."window"));
    end if;
  end loop;
  return wait;
end;
$$;
revoke all on function private.take(jsonb) from public, anon, authenticated, service_role;

drop function public.begin_sign_in(jsonb, jsonb, jsonb);

-- Counts an attempt without a proof. Writes nothing while one of `limits` is full, or each rejected attempt would add
-- rows for the email that it names. `proof_limits` are not counted: they say how much work a proof needs now.
-- Returns {"wait": seconds, "harder": whether harder_limits were counted, "level": of the next proof}.
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

-- Counts an attempt with a proof and uses the proof up (`key_hash`, for so many seconds), where its `level` is enough.
-- forgive_sign_in gives the hit back.
-- Returns {"outcome": "begun"}, or, with nothing counted, {"outcome": "used"} and {"outcome": "harder", "level"}.
create function public.begin_sign_in_by_proof(
  key_hash text, seconds integer, account_limits jsonb, level integer, max_level integer
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  needed integer := least(private.count_steps(account_limits), max_level);
begin
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
