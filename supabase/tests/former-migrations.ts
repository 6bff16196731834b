/** The migrations of databases from before the first release, which supabase/before-release.sql takes over. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Migration } from '../../node/embedded-backend/migrate.ts';

export const FORMER_MIGRATIONS: readonly Migration[] = JSON.parse(
  brotliDecompressSync(readFileSync(new URL('before-release.json.br', import.meta.url))).toString(),
);
