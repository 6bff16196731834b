/**
 * The databases that the access tests run on: the embedded one, and a real PostgreSQL server, in a folder of its own, where
 * one is installed. Both have the same migrations and the same cast.
 */
import pg from 'pg';
import { openBooted } from '../../server/embedded/booted-database.fixture.ts';
import { NO_POSTGRES, newPostgresDatabase } from './postgres.ts';

/** Role of a statement: a visitor, a user who signed in, or the functions; the owner stands above the grants. */
export type Actor =
  | { role: 'anon' }
  | { role: 'authenticated'; userId: string; sessionId: string }
  | { role: 'service_role' }
  | { role: 'owner' };

export type Row = Record<string, unknown>;

export interface Engine {
  /** Runs one statement as a user, in a transaction of its own. */
  as(actor: Actor, sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** The same, and leaves the transaction open. Absent where all statements share one connection. */
  begin?(actor: Actor, sql: string, parameters?: unknown[]): Promise<OpenTransaction>;
  /** Runs a statement that may stand in no transaction, as the owner. */
  maintain(sql: string): Promise<void>;
  close(): Promise<void>;
}

interface OpenTransaction {
  readonly rows: Row[];
  commit(): Promise<void>;
}

export interface EngineChoice {
  readonly name: string;
  /** A reason, where this machine lacks it. */
  readonly missing: string | false;
  /** Whether statements run at once, and not one after the other. */
  readonly isConcurrent: boolean;
  open(): Promise<Engine>;
}

export const ENGINES: EngineChoice[] = [
  { name: 'embedded (PGlite)', missing: false, isConcurrent: false, open: openEmbedded },
  { name: 'PostgreSQL', missing: NO_POSTGRES, isConcurrent: true, open: () => openPostgres() },
];

async function openEmbedded(): Promise<Engine> {
  const database = await openBooted();
  return {
    as: async (actor, sql, parameters = []) => {
      if (actor.role === 'owner') return (await database.sql.query<Row>(sql, parameters)).rows;
      return await database.sql.transaction(async (tx) => {
        await tx.exec(setAll(settingsOf(actor)));
        return (await tx.query<Row>(sql, parameters)).rows;
      });
    },
    maintain: async (sql) => void (await database.sql.exec(sql)),
    close: () => database.close(),
  };
}

/** @param connection to a database with the migrations; absent: a new one on the server of this run */
export async function openPostgres(connection?: pg.PoolConfig): Promise<Engine> {
  const pool = new pg.Pool({ ...(connection ?? (await newPostgresDatabase())), max: 20 });
  const begin: NonNullable<Engine['begin']> = async (actor, sql, parameters = []) => {
    const client = await pool.connect();
    const end = async (command: 'commit' | 'rollback') => {
      await client.query(command).finally(() => client.release());
    };
    try {
      await client.query(`begin; ${setAll(settingsOf(actor))}`);
      const { rows } = await client.query<Row>(sql, parameters);
      return { rows, commit: () => end('commit') };
    } catch (error) {
      await end('rollback');
      throw error;
    }
  };
  return {
    begin,
    as: async (...statement) => {
      const { rows, commit } = await begin(...statement);
      await commit();
      return rows;
    },
    maintain: async (sql) => void (await pool.query(sql)),
    close: () => pool.end(),
  };
}

/** What PostgREST sets before each statement. */
export function settingsOf(actor: Actor): [string, string][] {
  if (actor.role === 'owner') return [];
  const user = actor.role === 'authenticated' && { sub: actor.userId, session_id: actor.sessionId };
  return [
    ['request.jwt.claims', JSON.stringify({ role: actor.role, ...user })],
    ['role', actor.role],
  ];
}

/** One statement without parameters, which takes one message to the database instead of several for each setting. */
function setAll(settings: [string, string][]): string {
  return settings
    .map(([name, value]) => `select set_config('${name}', ${pg.escapeLiteral(value)}, true);`)
    .join(' ');
}
