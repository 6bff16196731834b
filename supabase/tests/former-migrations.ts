/** The migrations of databases from before the first release, which supabase/before-release.sql takes over. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from '../../node/embedded-backend/migrate.ts';

export const FORMER_MIGRATIONS: readonly Migration[] = JSON.parse(
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'before-release.json.br'))).toString(),
);
