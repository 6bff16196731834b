/** The project's thread, whose database a statement with this text as a parameter puts out of step: see backend.test.ts. */
import { isMainThread } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

export const PUTS_OUT_OF_STEP = 'put the database out of step';

type Query = PGlite['query'];

const { query, transaction } = PGlite.prototype;
PGlite.prototype.query = function (this: PGlite, ...statement) {
  return outOfStep(query.bind(this), ...statement);
} as Query;
PGlite.prototype.transaction = function (this: PGlite, work) {
  return transaction.call(this, (tx) =>
    work({ ...tx, query: ((...statement) => outOfStep(tx.query, ...statement)) as Query }),
  ) as ReturnType<typeof work>;
};

async function outOfStep(run: Query, ...[statement, parameters, options]: Parameters<Query>) {
  if (parameters?.some((one) => String(one).includes(PUTS_OUT_OF_STEP))) {
    // More than PGlite 0.4.5 can count: see self-check.test.ts.
    const many = Array.from({ length: 34_000 }, (_, at) => at);
    await run(`select cardinality(array[${many.map((at) => `$${at + 1}::integer`)}])`, many);
  }
  return await run(statement, parameters, options);
}

if (!isMainThread) await import('./project-thread.ts');
