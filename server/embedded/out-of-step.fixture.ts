/** The project's thread, whose database a statement with this text as a parameter puts out of step: see backend.test.ts. */
import { isMainThread } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

export const PUTS_OUT_OF_STEP = 'put the database out of step';

const query = PGlite.prototype.query;
PGlite.prototype.query = async function <T>(this: PGlite, statement: string, parameters?: unknown[]) {
  if (parameters?.some((one) => String(one).includes(PUTS_OUT_OF_STEP))) {
    // More than PGlite 0.4.5 can count: see self-check.test.ts.
    const many = Array.from({ length: 34_000 }, (_, at) => at);
    await query.call(this, `select cardinality(array[${many.map((at) => `$${at + 1}::integer`)}])`, many);
  }
  return await (query<T>).call(this, statement, parameters);
} as PGlite['query'];

if (!isMainThread) await import('./project-thread.ts');
