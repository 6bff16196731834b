/** The schema as it is (supabase/schemas), and what it and the migrations are compared by. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../supabase');

/** A row of DESCRIBE_SCHEMA. */
export interface SchemaObject {
  /** Such as `column public.offers.status`. */
  readonly object: string;
  readonly definition: string;
}

/** The texts of supabase/schemas, in the order of supabase/config.toml. */
export function readSchemas(): string[] {
  const config = readFileSync(join(FOLDER, 'config.toml'), 'utf8');
  const [, list = ''] = /^schema_paths = \[([^\]]*)\]/m.exec(config) ?? [];
  return [...list.matchAll(/"(.+)"/g)].map(([, path = '']) => readFileSync(join(FOLDER, path), 'utf8'));
}

/** The names of the objects that only one has, or whose definitions differ, sorted. */
export function differingObjects(one: readonly SchemaObject[], other: readonly SchemaObject[]): string[] {
  const lines = (objects: readonly SchemaObject[]) =>
    new Set(objects.map(({ object, definition }) => `${object}\n${definition}`));
  const names = [...lines(one).symmetricDifference(lines(other))].map((line) => line.split('\n', 1)[0] ?? '');
  return [...new Set(names)].sort();
}
