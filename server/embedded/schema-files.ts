/** The schema as it is (supabase/schemas), and what it and the migrations are compared by. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../../process/user-error.ts';
import { replacesLine } from './fold.ts';
import type { Migration } from './migrate.ts';

const FOLDER = join(import.meta.dirname, '../../supabase');

/** Needs an empty search_path. */
export const DESCRIBE_SCHEMA = readFileSync(join(FOLDER, 'describe-schema.sql'), 'utf8');

/** A row of DESCRIBE_SCHEMA. */
export interface SchemaObject {
  /** Such as `column public.offers.status`. */
  readonly object: string;
  /** The table that it is a part of, or itself. */
  readonly belongs_to: string;
  readonly definition: string;
}

/**
 * The files of supabase/schemas, in the order of supabase/config.toml, as migrations of an empty database.
 * @throws UserError unless that order names each of them
 */
export function readSchemas(): Migration[] {
  const config = readFileSync(join(FOLDER, 'config.toml'), 'utf8');
  const [, list = ''] = /^schema_paths = \[([^\]]*)\]/m.exec(config) ?? [];
  const paths = [...list.matchAll(/"([^"]+)"/g)].map(([, path = '']) => path);
  const names = readdirSync(join(FOLDER, 'schemas')).filter((file) => file.endsWith('.sql'));
  const files = names.map((file) => `./schemas/${file}`);
  const [different] = new Set(paths).symmetricDifference(new Set(files));
  if (different !== undefined) {
    throw new UserError(
      `schema_paths in supabase/config.toml and the files of supabase/schemas differ: ${different}. Name each file there.`,
    );
  }
  return paths.map((path, index) => ({
    version: String(index + 1).padStart(14, '0'),
    name: basename(path, '.sql'),
    sql: readFileSync(join(FOLDER, path), 'utf8'),
  }));
}

/** The names of the objects that only one has, or whose definitions differ, sorted. */
export function differingObjects(one: readonly SchemaObject[], other: readonly SchemaObject[]): string[] {
  const lines = (objects: readonly SchemaObject[]) =>
    new Set(objects.map(({ object, definition }) => `${object}\n${definition}`));
  const names = [...lines(one).symmetricDifference(lines(other))].map((line) => line.split('\n', 1)[0] ?? '');
  return [...new Set(names)].sort();
}

/**
 * The migration that leads from one schema to another: functions whole, with their grants. Every other change is for a person
 * to write, because it concerns rows: until then, its place makes the migration fail.
 * @param schemas the files that made the second one
 */
export function writeMigration(
  from: readonly SchemaObject[],
  to: readonly SchemaObject[],
  schemas: readonly Migration[],
): { sql: string; byHand: string[] } {
  const [before, after] = [from, to].map(
    (objects) => new Map(objects.map((one) => [one.object, one.definition])),
  );
  const changed = differingObjects(from, to);
  // Parts of a table that is new or gone are changed with it.
  const tableOf = new Map([...from, ...to].map((one) => [one.object, one.belongs_to]));
  const isPartOfChange = (object: string, table = tableOf.get(object) ?? object) =>
    table !== object && before?.has(table) !== after?.has(table);
  const texts = schemas.flatMap(({ sql }) => [...sql.matchAll(FUNCTIONS)]);
  // A function that is laid out in another way is not found.
  const hasText = (object: string) =>
    !after?.has(object) || texts.some(([, name]) => name === nameOf(object));
  const byHand = changed.filter((object) =>
    object.startsWith('function ') ? !hasText(object) : !isPartOfChange(object),
  );
  const places = byHand.map((object) => {
    const [old = 'absent', next = 'absent'] = [before?.get(object), after?.get(object)];
    const [comment, message] = [`${object}: ${old} -> ${next}`, `${object} is not migrated yet`].map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
    return `-- Replace: ${comment}\ndo $$ begin raise exception '${message?.replaceAll("'", "''")}'; end; $$;\n`;
  });
  const functions = changed.filter((object) => object.startsWith('function '));
  const drops = functions.filter((object) => !after?.has(object)).map((object) => `drop ${object};\n`);
  const names = new Set(functions.filter((object) => after?.has(object)).map(nameOf));
  const creations = texts.filter(([, name = '']) => names.has(name));
  return {
    sql: [
      ...places,
      ...drops,
      ...creations.map(([text]) => `create or replace ${text.slice('create '.length)}`),
    ].join('\n'),
    byHand,
  };
}

/** The baseline that replaces a chain which makes the same database. */
export function writeBaseline(chain: readonly Migration[], schemas: readonly Migration[]): string {
  return [
    '-- Generated from supabase/schemas by npm run migration -- --fold. Read it there.',
    replacesLine(chain.map(({ version }) => version)),
    ...schemas.map(({ sql }) => `\n${sql.trimEnd()}`),
    '',
  ].join('\n');
}

/** A function of a schema file, with its grants. */
const FUNCTIONS =
  /^create function ([\w.]+)\([\s\S]*?\nas \$\$[\s\S]*?\$\$;\n(?:grant execute on function .*;\n)*/gm;

function nameOf(object: string): string {
  return /^function ([\w.]+)\(/.exec(object)?.[1] ?? '';
}
