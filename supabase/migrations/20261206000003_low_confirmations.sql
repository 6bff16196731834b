-- A confirmation says of a low offer what the page says, and promises no answer: describe_delivery marks it with "low".

-- The function stays as it is but for the text named here.
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    ('private.describe_delivery', 'o.created_at, o.held,',
      $sql$o.created_at, o.held, case when m.kind = 'confirmation' and o.low then true end as low,$sql$)
  ) as changes (name, old, new)
  loop
    definition := pg_get_functiondef(change.name::regproc);
    if position(change.old in definition) = 0 then
      raise exception 'The function % has no text "%".', change.name, change.old;
    end if;
    execute replace(definition, change.old, change.new);
  end loop;
end;
$$;
