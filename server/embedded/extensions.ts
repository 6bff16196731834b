import type { PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/**
 * The extensions of PostgreSQL that the migrations create. Their code is not among the database's files: without this
 * option PGlite opens the files, and every statement that needs an index of an extension fails.
 */
export const EXTENSIONS = { pg_trgm } satisfies PGliteOptions['extensions'];
