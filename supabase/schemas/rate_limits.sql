-- Rate limits. A row counts the hits of one key (a keyed hash: no IP and no email is stored) in one bucket and one time
-- window. SECURITY.md says against whom each limit holds. A sender meets its own limits first and is rejected; what many
-- senders use up together only makes offers held, so that an attacker cannot keep other people's offers away.
-- Only functions of the database read and write rows: those below, and remove_expired.
--
-- A limit is {"bucket": text, "key": hexadecimal text, "max": hits, "window": seconds}. A list of limits is counted in the
-- order of bucket and key, so that two transactions cannot deadlock. No two limits of a list have the same bucket and key.

create table private.rate_limits (
  bucket text not null,
  key_hash text not null,
  window_start timestamptz not null,
  window_end timestamptz not null,
  hits integer not null,
  primary key (bucket, key_hash, window_start)
);
create index rate_limits_by_end on private.rate_limits (window_end);
alter table private.rate_limits enable row level security;

-- Returns the start of the window of a moment. Windows are aligned to the epoch.
create function private.window_start(seconds integer, at timestamptz default now()) returns timestamptz
language sql stable set search_path = ''
as $$ select to_timestamp(floor(extract(epoch from at) / seconds) * seconds); $$;

-- Returns the seconds to wait, 0 unless a limit is full. Counts nothing.
create function private.seconds_until_free(limits jsonb) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(max(greatest(1, ceil(extract(epoch from r.window_end - now()))::integer)), 0)
  from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits >= l.max;
$$;

-- Returns the limits that are full as {"bucket": seconds to wait}; null where none is. The edge functions remember them, so that
-- further requests of their senders cost no call.
create function private.full_limits(limits jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_object_agg(l ->> 'bucket', w.wait)
  from jsonb_array_elements(limits) as l, private.seconds_until_free(jsonb_build_array(l)) as w (wait)
  where w.wait > 0;
$$;

-- Counts one hit in every limit and returns the seconds to wait, 0 unless a limit is exceeded. Counts beyond `max` too,
-- so that release_hits subtracts exactly what was counted. The upsert is atomic: of two concurrent requests exactly one
-- gets the last free hit. One call in a hundred deletes expired rows.
create function private.count_hits(limits jsonb) returns integer
language plpgsql set search_path = ''
as $$
declare
  wait integer;
begin
  if random() < 0.01 then
    delete from private.rate_limits where (bucket, key_hash, window_start) in (
      select bucket, key_hash, window_start from private.rate_limits
      where window_end < now() limit 1000 for update skip locked
    );
  end if;
  with counted as (
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    select l.bucket, l.key, w.started, w.started + make_interval(secs => l."window"), 1
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer),
      private.window_start(l."window") as w (started)
    order by l.bucket, l.key
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning r.*
  )
  select coalesce(max(greatest(1, ceil(extract(epoch from c.window_end - now()))::integer)), 0) into wait
  from counted c
  join jsonb_to_recordset(limits) as l (bucket text, key text, max integer)
    on l.bucket = c.bucket and l.key = c.key_hash
  where c.hits > l.max;
  return wait;
end;
$$;

-- Counts one hit in every limit unless one is full, and returns the seconds to wait. Writes nothing for a request that is
-- rejected: otherwise each attempt to sign in would add rows for the email in it.
create function private.count_hits_unless_full(limits jsonb) returns integer
language plpgsql set search_path = ''
as $$
declare
  wait constant integer := private.seconds_until_free(limits);
begin
  return case when wait > 0 then wait else private.count_hits(limits) end;
end;
$$;

-- Subtracts the hit that was counted at a moment from every limit: of a completed sign-in, of a bot check that could not be
-- made, of an offer that was not stored. Rows are locked in the order of bucket and key.
create function public.release_hits(limits jsonb, counted_at timestamptz default now()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
begin
  for one in
    select l.bucket, l.key, private.window_start(l."window", counted_at) as started
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer)
    order by l.bucket, l.key
  loop
    update private.rate_limits r set hits = greatest(r.hits - 1, 0)
    where r.bucket = one.bucket and r.key_hash = one.key and r.window_start = one.started;
  end loop;
end;
$$;
grant execute on function public.release_hits(jsonb, timestamptz) to service_role;

-- Counts an attempt to sign in that has a place in the queue. Returns {"wait": seconds, "counted_at": time, for release_hits,
-- "full": full_limits}.
create function public.begin_sign_in(limits jsonb) returns jsonb
language sql security definer set search_path = ''
as $$
  select jsonb_build_object(
    'wait', private.count_hits_unless_full(limits), 'counted_at', now(), 'full', private.full_limits(limits)
  );
$$;
grant execute on function public.begin_sign_in(jsonb) to service_role;
