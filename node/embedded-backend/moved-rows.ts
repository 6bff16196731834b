/** Reads what `npm run move` takes to a hosted project, as rows of JSON. */
import type { PGlite } from '@electric-sql/pglite';
import { UserError } from '../config/user-error.ts';
import { readRow } from './read-row.ts';

/** Number of rows in one read. */
const READ_BATCH = 500;

/** Tables that hold what happened, with the column that orders their rows. Sessions, limits and the catalogue stay. */
const TABLES: Readonly<Record<string, { table: string; key: string; keyType: string }>> = {
  erased_offers: { table: 'private.erased_offers', key: 'offer_id', keyType: 'uuid' },
  offers: { table: 'public.offers', key: 'id', keyType: 'uuid' },
  offer_messages: { table: 'private.offer_messages', key: 'offer_id', keyType: 'uuid' },
  offer_receipts: { table: 'private.offer_receipts', key: 'token_hash', keyType: 'text' },
  offer_status_changes: { table: 'private.offer_status_changes', key: 'id', keyType: 'bigint' },
  erasures: { table: 'private.erasures', key: 'id', keyType: 'bigint' },
  messages: { table: 'private.messages', key: 'id', keyType: 'bigint' },
};

/** An account that is an administrator or changed the status of an offer. */
export interface MovedAccount {
  readonly id: string;
  readonly email: string;
  readonly isAdministrator: boolean;
}

/**
 * Returns the rows of a kind after a key, in the order of their key, with `next`: the key of the last one, null at the end.
 * @throws UserError for an unknown kind
 */
export async function readMovedRows(
  sql: PGlite,
  kind: string,
  after: string | null,
): Promise<{ rows: unknown[]; next: string | null; total: number }> {
  const found = Object.hasOwn(TABLES, kind) ? TABLES[kind] : undefined;
  if (found === undefined) throw new UserError(`There are no rows of the kind ${kind}.`);
  const { table, key, keyType } = found;
  const { rows } = await sql.query<{ line: unknown; key: string }>(
    `select to_jsonb(t) as line, t.${key}::text as key from ${table} t
     where $1::text is null or t.${key} > $1::${keyType} order by t.${key} limit ${READ_BATCH}`,
    [after],
  );
  const counted = `select count(*)::integer as total from ${table}`;
  return {
    rows: rows.map(({ line }) => line),
    next: rows.length < READ_BATCH ? null : (rows.at(-1)?.key ?? null),
    ...(await readRow<{ total: number }>(sql, counted)),
  };
}

/** The first administrator first. */
export async function readMovedAccounts(sql: PGlite): Promise<MovedAccount[]> {
  const { rows } = await sql.query<MovedAccount>(
    `select u.id, u.email, a.user_id is not null as "isAdministrator"
     from auth.users u left join private.admins a on a.user_id = u.id
     where a.user_id is not null or u.id in (select c.changed_by from private.offer_status_changes c)
     order by a.created_at, u.id`,
  );
  return rows;
}
