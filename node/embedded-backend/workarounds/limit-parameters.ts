import type { PGlite } from '@electric-sql/pglite';

/** Maximum number of parameters of a statement: the wire format counts them in 16 bits, which PGlite writes signed. */
const MAX_PARAMETERS = 32_767;

/**
 * Rejects statements with more parameters than PGlite 0.4.5 can send. It sends them with a wrong count, and the
 * connection returns no rows for any later statement, without an error. PGlite 0.5.16 counts to 65,535; lite 0.10 pins
 * 0.4.5. Not reported yet; the report is docs/upstream/supabase-lite-csv.md.
 */
export function limitParameters(sql: PGlite): void {
  const query = sql.query.bind(sql) as PGlite['query'];
  sql.query = (statement, parameters, options) => {
    if ((parameters?.length ?? 0) <= MAX_PARAMETERS) return query(statement, parameters, options);
    // PostgREST's way to choose the status of a response.
    return Promise.reject(Object.assign(new Error('Too many values in one request.'), { code: 'PT413' }));
  };
}
