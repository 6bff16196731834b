-- Rate limits. A row counts the hits of one key (a keyed hash: no IP and no email is stored) in one bucket and one time
-- window. Only the functions below read and write it; other functions of the database call them.
--
-- A limit is {"bucket": text, "key": hexadecimal text, "max": hits, "window": seconds}.

create table private.rate_limits (
  bucket text not null,
  key_hash text not null,
  window_start timestamptz not null,
  window_end timestamptz not null,
  hits integer not null,
  primary key (bucket, key_hash, window_start)
);
create index rate_limits_by_end on private.rate_limits (window_end);
revoke all on table private.rate_limits from public, anon, authenticated, service_role;

-- Returns the start of the present window. Windows are aligned to the epoch.
create function private.window_start(seconds integer) returns timestamptz
language sql stable set search_path = ''
as $$ select to_timestamp(floor(extract(epoch from now()) / seconds) * seconds); $$;

-- Counts one hit in every limit and returns the seconds to wait, 0 if no limit is exceeded. The upsert is atomic: of
-- two concurrent requests exactly one gets the last free hit. Rows are locked in the order of bucket and key, so that
-- two transactions cannot deadlock. 20261123000002 replaces it.
create function private.take(limits jsonb) returns integer
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
    on conflict (bucket, key_hash, window_start)
      do update set hits = least(r.hits, one.max) + 1
    returning hits into counted;
    if counted > one.max then
      wait := greatest(wait, private.seconds_left(one.started, one."window"));
    end if;
  end loop;
  return wait;
end;
$$;

-- Returns the seconds until a window ends, at least 1.
create function private.seconds_left(started timestamptz, seconds integer) returns integer
language sql stable set search_path = ''
as $$
  select greatest(1, ceil(extract(epoch from started + make_interval(secs => seconds) - now()))::integer);
$$;

-- Returns the seconds to wait as take does, without counting.
create function private.look(limits jsonb) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(max(private.seconds_left(r.window_start, l."window")), 0)
  from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits >= l.max;
$$;

-- Takes back one hit of every limit. 20261122000001 replaces it.
create function private.give_back(limits jsonb) returns void
language sql security definer set search_path = ''
as $$
  update private.rate_limits r set hits = greatest(r.hits - 1, 0)
  from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
  where r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window");
$$;

revoke all on function private.window_start(integer) from public, anon, authenticated, service_role;
revoke all on function private.seconds_left(timestamptz, integer) from public, anon, authenticated, service_role;
revoke all on function private.take(jsonb) from public, anon, authenticated, service_role;
revoke all on function private.look(jsonb) from public, anon, authenticated, service_role;
revoke all on function private.give_back(jsonb) from public, anon, authenticated, service_role;
