/** Brings a database with the migrations that the baseline replaces in: the baseline takes their place. Its schema is the same. */

/** The last commits with those migrations, and with the ones before them. */
const COMMIT = 'b911ff25';
const COMMIT_BEFORE = '73fa65f3';

/** The line of a baseline that names the versions which it replaces. */
export const replacesLine = (versions: readonly string[]) => `-- Replaces ${versions.join(', ')}.`;
const REPLACES = /^-- Replaces ([\d, ]+)\.$/m;

/**
 * One statement for hosted projects and the embedded database: all of it happens, or nothing. It is no migration, because
 * `supabase db push` rejects a database with versions that it has no file for. Versions of the owner's own stay. The statements
 * that the Supabase CLI has stored of each migration go to the baseline's.
 * @param chain the migrations; of one without a baseline the statement is empty
 */
export function foldStatement(chain: readonly { version: string; name: string; sql: string }[]): string {
  const baseline = chain.find(({ sql }) => REPLACES.test(sql));
  if (!baseline) return '';
  const [, replaced = ''] = REPLACES.exec(baseline.sql) ?? [];
  return `do $$
declare
  replaced constant text[] := '{${replaced}}';
  recorded integer := 0;
begin
  -- A new database. (From before the first release there is offer_receipts.)
  if coalesce(to_regclass('private.admins'), to_regclass('private.offer_receipts')) is null then
    return;
  end if;
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    -- Of two at once, the second one waits here, and then finds the baseline.
    lock table supabase_migrations.schema_migrations in share row exclusive mode;
    if exists (select from supabase_migrations.schema_migrations where version = '${baseline.version}') then
      return;
    end if;
    select count(*) into recorded from supabase_migrations.schema_migrations where version = any (replaced);
  end if;
  if recorded < cardinality(replaced) then
    raise exception using message = format(
      'The database is of an older version: it has %s of the %s migrations that ${baseline.version} replaces. '
      'Nothing was changed. First use the version of commit %s with it.',
      case recorded when 0 then 'none' else recorded::text end, cardinality(replaced),
      case recorded when 0 then '${COMMIT_BEFORE} with it, then that of commit ' else '' end || '${COMMIT}');
  end if;
  with gone as (
    delete from supabase_migrations.schema_migrations where version = any (replaced) returning version, statements
  )
  insert into supabase_migrations.schema_migrations (version, name, statements)
  select '${baseline.version}', '${baseline.name}', (
    select array_agg(s.statement order by g.version, s.number)
    from gone g, unnest(g.statements) with ordinality as s (statement, number)
  );
end;
$$;`;
}
