/** The layers of docs/architecture.md: which folder may import which. */

/** Kinds of code that each kind may import, by where it runs. */
const IMPORTS = {
  anywhere: ['anywhere'],
  browser: ['anywhere', 'browser'],
  edge: ['anywhere', 'edge'],
  Deno: ['anywhere', 'Deno'],
  Node: ['anywhere', 'edge', 'Deno', 'Node'],
  'Node and browser': ['anywhere', 'browser', 'edge', 'Deno', 'Node', 'Node and browser'],
} as const satisfies Record<string, readonly string[]>;

type Place = keyof typeof IMPORTS;

export interface Folder {
  /** Path; its subfolders belong to it unless the table names them, too. `*` is any one name. */
  readonly path: string;
  readonly runsIn: Place;
  /** Number of its row: it may import folders of rows above. */
  readonly row: number;
  /** Number of its place in the row: it may import folders of places before, and not those beside it. */
  readonly place: number;
  /** What it may not import of the rows above. */
  readonly exceptions: readonly Exception[];
}

/** Patterns of folders. */
interface Exception {
  readonly excluded: readonly string[];
  readonly besides: readonly string[];
}

/**
 * Reads the table `layer | runs in | except`, lowest layer first. A layer is one folder, or several: `a, b ← c`. Exceptions are
 * clauses as `not x/**, y besides x/z`, which are for all folders of the row, or `a, b not x` for those named.
 * @throws Error if a row runs in an unknown place, or an exception names a folder that cannot be one
 */
export function readLayers(markdown: string): Folder[] {
  const folders: Folder[] = [];
  const rows = [...markdown.matchAll(/^\| (`.+) \| (.+) \| (.*) ?\|$/gm)];
  for (const [row, [, names = '', runsIn = '', cell = '']] of rows.entries()) {
    const places = names.split(' ← ').map(namesIn);
    if (!isPlace(runsIn))
      throw new Error(
        `${names} runs in “${runsIn}”, which is not one of: ${Object.keys(IMPORTS).join(', ')}.`,
      );
    const clauses = cell.trim() === '' ? [] : cell.split('; ').map(clauseOf);
    for (const { of, excluded, besides } of clauses) {
      if (excluded.length === 0)
        throw new Error(`An exception of ${names} names no folder after “not”: ${cell.trim()}`);
      const unknown =
        of.find((name) => !places.flat().includes(name)) ??
        [...excluded, ...besides].find((name) => !folders.some(({ path }) => isNamed(path, name)));
      if (unknown !== undefined)
        throw new Error(
          `An exception of ${names} names ${unknown}: before “not” stands a folder of its row, after it one of a row above.`,
        );
    }
    for (const [place, paths] of places.entries())
      for (const path of paths) {
        const exceptions = clauses.filter(({ of }) => of.length === 0 || of.includes(path));
        folders.push({ path, runsIn, row, place, exceptions });
      }
  }
  return folders;
}

/** Whether code runs without Node: where it may not import Node’s modules. */
export function runsWithoutNode({ runsIn }: Folder): boolean {
  return ['anywhere', 'browser', 'edge'].includes(runsIn);
}

/** The folder of the table that a file belongs to; undefined if no row names one. */
export function folderOf(folders: readonly Folder[], file: string): Folder | undefined {
  return folders
    .filter(({ path }) => patternOf(path).test(file))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

/** Whether a file may import another one. Folders that share a name with `*` may not import each other. */
export function mayImport(folders: readonly Folder[], from: string, to: string): boolean {
  const [importing, imported] = [folderOf(folders, from), folderOf(folders, to)];
  if (!importing || !imported) return false;
  if (importing === imported) {
    const pattern = patternOf(importing.path);
    return pattern.exec(from)?.[0] === pattern.exec(to)?.[0];
  }
  const kinds: readonly string[] = IMPORTS[importing.runsIn];
  if (!kinds.includes(imported.runsIn) || imported.row > importing.row) return false;
  if (imported.row === importing.row) return imported.place < importing.place;
  const names = (patterns: readonly string[]) => patterns.some((name) => isNamed(imported.path, name));
  return !importing.exceptions.some(({ excluded, besides }) => names(excluded) && !names(besides));
}

function isPlace(text: string): text is Place {
  return Object.hasOwn(IMPORTS, text);
}

/** Whether `name` is the path of a folder, or `x/**` where that is x or inside it. */
function isNamed(path: string, name: string): boolean {
  return name.endsWith('/**') ? `${path}/`.startsWith(name.slice(0, -2)) : path === name;
}

function clauseOf(text: string): Exception & { readonly of: readonly string[] } {
  const [before = '', after = ''] = text.split(/not (.*)/s);
  const [excluded = '', besides = ''] = after.split(' besides ');
  return { of: namesIn(before), excluded: namesIn(excluded), besides: namesIn(besides) };
}

/** The names in backticks. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function patternOf(folder: string): RegExp {
  return new RegExp(`^${folder.replaceAll('*', '[^/]+')}/`);
}
