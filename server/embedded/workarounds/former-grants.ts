/**
 * Restores the grants in a folder of a former version. That one served the data API by @supabase/lite, which grants everything in
 * `public` to every role on its first request, stored the migrations' grants beside, and restored them after that request: a
 * process that was killed in between left those of lite. Once no data folder is older than this version, remove it.
 */
import type { PGlite } from '@electric-sql/pglite';

/** Does nothing where none are stored, as in every folder that this version has opened. */
export async function restoreFormerGrants(database: PGlite): Promise<void> {
  const { rows } = await database.query(`select where to_regclass('embedded.granted') is not null`);
  if (rows.length === 0) return;
  // Column grants were never touched. The migrations' default privileges hold in all schemas, those of lite in single ones.
  await database.exec(`
    begin;
    update pg_class c set relacl = g.acl from embedded.granted g
      where g.catalogue = 'pg_class'::regclass and g.object = c.oid;
    update pg_namespace n set nspacl = g.acl from embedded.granted g
      where g.catalogue = 'pg_namespace'::regclass and g.object = n.oid;
    update pg_proc p set proacl = g.acl from embedded.granted g
      where g.catalogue = 'pg_proc'::regclass and g.object = p.oid;
    delete from pg_default_acl where defaclnamespace <> 0;
    drop table embedded.granted;
    commit;
  `);
}
