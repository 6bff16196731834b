/**
 * Restores the migrations' grants, since @supabase/lite 0.10 grants everything in `public` to every role on the first
 * REST request of each process. After the migrations the grants are stored in the database; after the warm-up request,
 * before the port opens, they are restored from there. Not reported yet; the report is
 * docs/upstream/supabase-lite-0.10.md.
 */
import type { PGlite, Transaction } from '@electric-sql/pglite';

/** Stores the grants. To be called in the transaction of the migrations. */
export async function storeGrants(tx: Transaction): Promise<void> {
  await tx.exec(`
    create schema if not exists embedded;
    revoke all on schema embedded from public;
    drop table if exists embedded.granted;
    create table embedded.granted as
      select 'pg_class'::regclass as catalogue, oid as object, relacl as acl from pg_class
        where relnamespace in (select oid from pg_namespace where nspname in ('public', 'private', 'auth'))
      union all
      select 'pg_namespace'::regclass, oid, nspacl from pg_namespace where nspname in ('public', 'private', 'auth')
      union all
      select 'pg_proc'::regclass, oid, proacl from pg_proc
        where pronamespace in (select oid from pg_namespace where nspname in ('public', 'private'));
  `);
}

/**
 * Restores the stored grants, and drops lite's default privileges: those of one schema. The migrations' hold in all of them.
 * Column grants are never touched.
 */
export async function restoreGrants(database: PGlite): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.exec(`
      update pg_class c set relacl = g.acl from embedded.granted g
        where g.catalogue = 'pg_class'::regclass and g.object = c.oid;
      update pg_namespace n set nspacl = g.acl from embedded.granted g
        where g.catalogue = 'pg_namespace'::regclass and g.object = n.oid;
      update pg_proc p set proacl = g.acl from embedded.granted g
        where g.catalogue = 'pg_proc'::regclass and g.object = p.oid;
      delete from pg_default_acl where defaclnamespace <> 0;
    `);
  });
}
