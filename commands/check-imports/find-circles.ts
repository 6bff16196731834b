/**
 * Finds files that import each other in a circle, also over others.
 * @param imports of each file, by its path
 * @returns circles as their files, the first one again at the end; at least one of those that a file is in
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  for (const file of imports.keys()) follow(file, []);
  return circles;

  function follow(file: string, way: readonly string[]): void {
    const start = way.indexOf(file);
    if (start >= 0) circles.push([...way.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) follow(imported, [...way, file]);
    done.add(file);
  }
}
