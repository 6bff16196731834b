/** The statement that takes over databases from before the baseline of the migrations, hosted and embedded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../supabase');

/** Needs an empty search_path. */
export const DESCRIBE_SCHEMA = readFileSync(join(FOLDER, 'describe-schema.sql'), 'utf8');

export const TAKE_OVER = readFileSync(join(FOLDER, 'take-over.sql'), 'utf8').replace(
  '    DESCRIPTION\n',
  () => DESCRIBE_SCHEMA,
);
