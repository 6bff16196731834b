/** Databases without a migration, for tests of the migrations themselves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { copyBare } from '../../server/embedded/booted-database.fixture.ts';
import { EXTENSIONS } from '../../server/embedded/extensions.ts';
import { BRIEF_START_PARAMETERS } from '../../server/embedded/open-database.ts';
import { DESCRIBE_SCHEMA, type SchemaObject } from '../../server/embedded/schema-files.ts';
import type { Row } from './engines.ts';
import { NO_POSTGRES, startPostgres } from './postgres.ts';

export interface BareDatabase {
  /** Runs statements, as the owner. */
  exec(sql: string): Promise<void>;
  rows(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

export const BARE_ENGINES = [
  { name: 'embedded (PGlite)', missing: false as const, open: openEmbedded },
  { name: 'PostgreSQL', missing: NO_POSTGRES, open: openServer },
];

/** Describes the schema. To be called in a transaction, which has no search_path from then on. */
async function describeSchema(database: BareDatabase): Promise<SchemaObject[]> {
  await database.exec("set local search_path = ''");
  return (await database.rows(DESCRIBE_SCHEMA)) as unknown as SchemaObject[];
}

/** The schema that a database has after the statements, which are undone. */
export async function describeAfter(
  database: BareDatabase,
  statements: readonly string[],
): Promise<SchemaObject[]> {
  await database.exec('begin');
  for (const sql of statements) await database.exec(sql);
  const objects = await describeSchema(database);
  await database.exec('rollback');
  return objects;
}

export async function openEmbedded(): Promise<BareDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'));
  copyBare(folder);
  const database = await PGlite.create(folder, {
    extensions: EXTENSIONS,
    startParams: BRIEF_START_PARAMETERS,
  });
  return {
    exec: async (sql) => void (await database.exec(sql)),
    rows: async (sql) => (await database.query<Row>(sql)).rows,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openServer(): Promise<BareDatabase> {
  const server = startPostgres();
  const client = new pg.Client({ host: server.socket, user: 'postgres', database: 'postgres' });
  await client.connect();
  return {
    exec: async (sql) => void (await client.query(sql)),
    rows: async (sql) => (await client.query<Row>(sql)).rows,
    close: async () => {
      await client.end();
      server.stop();
    },
  };
}
