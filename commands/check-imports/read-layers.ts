/** The layers of docs/architecture.md: which folder may import which. */

const WITHOUT_NODE = ['browser', 'edge'];

export interface Layer {
  /** Path of a folder, whose subfolders belong to it unless they are a layer themselves; `*` is any one name. */
  readonly folder: string;
  /** Whether its code runs without Node: in the browser or at the edge. */
  readonly isWithoutNode: boolean;
  /** Folders of the layers that it may import besides itself; `everything` where it may import all. */
  readonly imports: readonly string[] | 'everything';
}

/**
 * Reads the table `folder | runs in | imports`, lowest layer first.
 * @throws Error if a layer may import one that does not stand above it: then folders could form a cycle
 */
export function readLayers(markdown: string): Layer[] {
  const layers: Layer[] = [];
  for (const [, folders = '', runsIn = '', imports = ''] of markdown.matchAll(
    /^\| (`.+) \| (.+) \| (.+) \|$/gm,
  )) {
    const allowed = imports === 'everything' ? imports : namesIn(imports);
    for (const name of allowed === 'everything' ? [] : allowed) {
      if (layers.some(({ folder }) => folder === name)) continue;
      throw new Error(`${folders} may import ${name}, which must be the folder of a row above it.`);
    }
    for (const folder of namesIn(folders))
      layers.push({ folder, isWithoutNode: WITHOUT_NODE.includes(runsIn), imports: allowed });
  }
  return layers;
}

/** The layer that a file belongs to; undefined if no row names a folder above it. */
export function layerOf(layers: readonly Layer[], file: string): Layer | undefined {
  return layers
    .filter(({ folder }) => patternOf(folder).test(file))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** Whether a file of one layer may import a file of another. Folders that share a row with `*` may not import each other. */
export function mayImport(layers: readonly Layer[], from: string, to: string): boolean {
  const [importing, imported] = [layerOf(layers, from), layerOf(layers, to)];
  if (!importing || !imported) return false;
  if (importing.folder === imported.folder) {
    const pattern = patternOf(importing.folder);
    return pattern.exec(from)?.[0] === pattern.exec(to)?.[0];
  }
  return importing.imports === 'everything' || importing.imports.includes(imported.folder);
}

/** The names in backticks. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function patternOf(folder: string): RegExp {
  return new RegExp(`^${folder.replaceAll('*', '[^/]+')}/`);
}
