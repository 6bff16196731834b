-- Lists the last move and the amount that counts beside each offer, and exports that amount. A search finds words of messages and
-- the amount that was named last, a filter the offers with a message. Previews of messages leave out a salutation.

create index offer_messages_by_text on private.offer_messages using gin (lower(message) extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 512);
create index offer_moves_by_amount on private.offer_moves using gin (lower(amount) extensions.gin_trgm_ops)
  where amount is not null;

create view private.standings with (security_invoker = true) as
  select last.offer_id, last.kind, last.created_at, last.valid_until, (
    select m.amount from private.offer_moves m
    where m.offer_id = last.offer_id and m.amount is not null order by m.number desc limit 1
  ) as amount
  from private.offer_moves last
  where not exists (
    select from private.offer_moves n where n.offer_id = last.offer_id and n.number = last.number + 1
  );

drop function private.offer_condition(filter jsonb);

create or replace function private.offer_conditions(filter jsonb) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  pattern constant text := '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
  condition text := case
    when (filter ->> 'held')::boolean then 'held'
    when (filter ->> 'low')::boolean then 'low and not held'
    -- As private.regular_offers.
    else 'not held and not low' end;
begin
  if char_length(term) < 3 then
    raise exception 'Type at least three characters to search for.' using errcode = '22023';
  end if;
  if filter ? 'status' then
    condition := condition || format(' and status = %L', filter ->> 'status');
  end if;
  if filter ? 'domain' then
    condition := condition || format(' and domain_name = %L', filter ->> 'domain');
  end if;
  if (filter ->> 'overdue')::boolean then
    condition := condition || format(' and status = ''pending'' and created_at < %L', now() - private.reply_within());
  end if;
  if (filter ->> 'message')::boolean then
    condition := condition || ' and exists (select from private.offer_messages t where t.offer_id = offers.id)';
  end if;
  if term is null then
    return array[condition];
  end if;
  return array[
    format(
      $sql$%s and lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) like %L$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_messages t where t.offer_id = offers.id and lower(t.message) like %L
      )$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_moves m where m.offer_id = offers.id and lower(m.amount) like %L and not exists (
          select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number and n.amount is not null
        )
      )$sql$,
      condition, pattern
    )
  ];
end;
$$;

create or replace function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select case when count(*) = 1 then min(part)
    else format('select * from (%s) as offers order by %s desc, id desc limit $3',
      string_agg(format('(%s)', part), ' union '), private.offer_order(filter)) end
  from (
    select format(
      'select * from public.offers where %1$s%2$s order by %3$s desc, id desc limit $3',
      condition,
      case when from_newest then '' else format(' and (%s, id) <= ($1, $2)', private.offer_order(filter)) end,
      private.offer_order(filter)
    ) as part
    from unnest(private.offer_conditions(filter)) as condition
  ) as parts;
$$;

create or replace function public.offer_pages(page_size integer, filter jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  pages jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (number - 1) / $1, 'first_created_at', sorted_at, 'first_id', id, 'total', total
    ) order by number), '[]')
    from (
      select sorted_at, id, count(*) over () as total,
        row_number() over (order by sorted_at desc, id desc) as number
      from (%s) as found
    ) as numbered
    where (number - 1) %% $1 = 0
    $sql$,
    (
      select string_agg(
        format('select %s as sorted_at, id from public.offers where %s', private.offer_order(filter), condition), ' union ')
      from unnest(private.offer_conditions(coalesce(filter, '{}'))) as condition
    )
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;
grant execute on function public.offer_pages(integer, jsonb) to authenticated;

create or replace function public.offer_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'status', (
      select jsonb_object_agg(name, (select count(*) from private.regular_offers o where o.status = name))
      from unnest(array['pending', 'accepted', 'rejected', 'negotiating']) as name
    ),
    'held', (select count(*) from public.offers o where o.held),
    'low', (select count(*) from public.offers o where o.low and not o.held),
    'overdue', (
      select count(*) from private.regular_offers o
      where o.status = 'pending' and o.created_at < now() - private.reply_within()
    ),
    'messages', (
      select count(*) from private.offer_messages t join private.regular_offers o on o.id = t.offer_id
    ),
    -- One step in the index for each domain, however many offers it has.
    'domains', (
      with recursive domains as (
        select min(o.domain_name) as name from public.offers o
        union all
        select (select min(o.domain_name) from public.offers o where o.domain_name > d.name) from domains d
        where d.name is not null
      )
      select coalesce(jsonb_agg(d.name order by d.name), '[]') from domains d where d.name is not null
    )
  );
end;
$$;
grant execute on function public.offer_counts() to authenticated;

create or replace function private.salutation() returns text
language sql immutable set search_path = ''
as $$
  select '^\s*(?:hi|hello|hey|dear|good (?:day|morning|afternoon|evening)|greetings|to whom it may concern'
    || '|hallo|guten (?:tag|morgen|abend)|sehr geehrte[rs]?|liebe[rs]?|moin|servus|grüezi|grüß gott'
    || '|bonjour|salut|hola|buenos d[ií]as|ciao|buongiorno|ol[aá])\M'
    -- A name of a few words, then a mark or the end of the line.
    || '(?:[ \t]+(?:(?:mr|mrs|ms|dr|prof)\.|[^\s,.!:;?]+)){0,4}[ \t]*(?:[,.!:;–-]+|[\n\r])\s*(?=\S)';
$$;

create or replace function public.message_lines(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(
      m.offer_id,
      left(substring(regexp_replace(m.message, private.salutation(), '', 'i') from '\S[^\n\r]*'), 200)
    ), '{}')
    from private.offer_messages m where m.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.message_lines(uuid[]) to authenticated;

create or replace function public.standings(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(s.offer_id, jsonb_strip_nulls(jsonb_build_object(
      'kind', s.kind, 'at', s.created_at, 'valid_until', s.valid_until, 'amount', s.amount
    ))), '{}')
    from private.standings s where s.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.standings(uuid[]) to authenticated;

create or replace function public.export_offers(
  page_size integer, before_created_at timestamptz default null, before_id uuid default null
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'has_messages', exists (select from private.offer_messages),
    'offers', (
      select coalesce(jsonb_agg(page.line order by page.created_at desc, page.id desc), '[]') from (
        select o.created_at, o.id,
          jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
            'message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'low', nullif(o.low, false),
            'current_amount', coalesce(s.amount, o.offer_amount),
            'agreed_amount', case when s.kind = 'accept' then s.amount end
          )) as line
        from public.offers o
        left join private.offer_messages m on m.offer_id = o.id
        left join private.standings s on s.offer_id = o.id
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;
