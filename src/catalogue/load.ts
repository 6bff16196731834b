import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { type Catalogue, CatalogueSchema } from './schema.ts';

export type { Catalogue, DomainEntry } from './schema.ts';

/** The file that holds the catalogue, unless the environment's CATALOGUE names another one. */
export const CATALOGUE_FILE = 'src/content/catalogue.yaml';

/** Where the catalogue is read from, as an absolute path. Commands run from the repository's root. */
export function catalogueFile(): string {
  const { CATALOGUE } = process.env;
  return resolve(CATALOGUE || CATALOGUE_FILE);
}

/**
 * Reads and checks the catalogue.
 * @throws {CatalogueError} listing every mistake in it, or why it cannot be read
 */
export function loadCatalogue(file: string = catalogueFile()): Catalogue {
  const text = read(file);
  // One build asks several times, and ten thousand entries take most of a second.
  if (last?.file !== file || last.text !== text) last = { file, text, catalogue: parse(file, text) };
  return last.catalogue;
}
let last: { file: string; text: string; catalogue: Catalogue } | undefined;

/** What is wrong with the catalogue, for the person who edits it: one mistake a line, with file and line. */
export class CatalogueError extends Error {
  override name = 'CatalogueError';

  constructor(file: string, problems: { what: string; at?: { line: number; col: number } }[]) {
    const inside = relative(process.cwd(), file);
    const shown = inside.startsWith('..') ? file : inside;
    const lines = problems
      .toSorted((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0))
      .map(({ what, at }) => `  ${at ? `${shown}:${at.line}:${at.col}` : shown}  ${what}`);
    super(['Please correct the catalogue:', ...lines].join('\n'));
  }
}

function parse(file: string, text: string): Catalogue {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    throw new CatalogueError(
      file,
      document.errors.map((error) => ({
        what: `is not readable as YAML: ${error.message.split(' at line')[0]}`,
        at: lines.linePos(error.pos[0]),
      })),
    );
  }
  const data: unknown = document.toJS();
  const checked = CatalogueSchema.safeParse(data);
  const issues = [...(checked.error?.issues ?? []).flatMap(byKey), ...duplicates(data)];
  if (checked.success && issues.length === 0) return checked.data;
  throw new CatalogueError(
    file,
    issues.map(({ path, message }) => ({
      what: `${placeOf(path, data)} ${message}`,
      at: lines.linePos(offsetOf(document, path)),
    })),
  );
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing
      ? 'is not there: create it, or correct the setting CATALOGUE'
      : `cannot be read: ${error}`;
    throw new CatalogueError(file, [{ what: why }]);
  }
}

/** One issue for each unknown key, at that key, instead of one for all of them at their entry. */
function byKey(issue: Issue & { keys?: string[] }): Issue[] {
  return (issue.keys ?? [undefined]).map((key) => ({
    path: key === undefined ? issue.path : [...issue.path, key],
    message: issue.message,
  }));
}

function duplicates(data: unknown): Issue[] {
  const issues: Issue[] = [];
  const first = new Map<string, number>();
  for (const [index, name] of names(data).entries()) {
    if (name === undefined) continue;
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, index);
    else
      issues.push({
        path: ['domains', index, 'name'],
        message: `is the same as entry ${earlier + 1}’s: remove one of them`,
      });
  }
  return issues;
}

/** The entries' names, as far as they are texts; the data is still unchecked. */
function names(data: unknown): (string | undefined)[] {
  const { domains } = (data ?? {}) as { domains?: unknown };
  if (!Array.isArray(domains)) return [];
  return domains.map((entry) => (typeof entry?.name === 'string' ? entry.name : undefined));
}

/** `entry 2 (lap.app), field price`, `settings, field brokerUrl`, or the file itself. */
function placeOf(path: PropertyKey[], data: unknown): string {
  const [section, index, ...rest] = path;
  if (section !== 'domains' || typeof index !== 'number') {
    const [field, position] = path.slice(1);
    if (field === undefined) return section === undefined ? 'the file' : `section ${String(section)}`;
    const which = typeof position === 'number' ? ` number ${position + 1}` : '';
    return `section ${String(section)}, field ${String(field)}${which}`;
  }
  const name = names(data)[index];
  const entry = name ? `entry ${index + 1} (${name})` : `entry ${index + 1}`;
  return rest.length > 0 ? `${entry}, field ${rest.map(String).join(', ')}` : entry;
}

/** Where the nearest thing that exists on this path begins: a missing field is reported at its entry. */
function offsetOf(document: Document, path: PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}
