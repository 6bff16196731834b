/** Positions in the catalogue: by entry and field for messages, and by offset in the file. */
import { type Document, isCollection, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';

/** `entry 2 (lap.app), field price`, `section settings, field links number 2, url`, or the file itself. */
export function placeOf(path: PropertyKey[], data: unknown): string {
  const [section, field, ...inside] = path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (section === undefined) return 'the file';
  if (section === 'domains' && typeof field === 'number') {
    const name = namesIn(data)[field];
    const entry = name ? `entry ${field + 1} (${name})` : `entry ${field + 1}`;
    return inside.length > 0 ? `${entry}, field ${inside.join(', ')}` : entry;
  }
  if (field === undefined) return `section ${section}`;
  const which = inside.map((key) => (typeof key === 'number' ? ` number ${key + 1}` : `, ${key}`));
  return `section ${section}, field ${field}${which.join('')}`;
}

/** The entries' names where they are strings; the data is not validated yet. */
export function namesIn(data: unknown): (string | undefined)[] {
  const { domains } = (data ?? {}) as { domains?: unknown };
  if (!Array.isArray(domains)) return [];
  return domains.map((entry) => (typeof entry?.name === 'string' ? entry.name : undefined));
}

/** Offset of the nearest existing node on this path: a missing field is reported at its entry. */
export function offsetOf(document: Document, path: PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

/** Section, entry and field; deeper parts are not reported. */
const DEPTH = 3;

/** The path of the field at an offset, as far as the file can be parsed. */
export function pathAt(document: Document, offset: number): PropertyKey[] {
  const path: PropertyKey[] = [];
  let node: unknown = document.contents;
  while (path.length < DEPTH) {
    // What follows `{domain}` belongs to the field, and not to the mapping that YAML takes the braces for.
    if (isCollection(node) && node.flow && offset >= (node.range?.[1] ?? 0)) break;
    if (isMap(node)) {
      // A setting that cannot be read may look like a mapping.
      if (path.length === 2 && path[0] === 'settings') break;
      const pair = node.items.findLast(({ key }) => startOf(key) <= offset);
      if (!pair || !isScalar(pair.key)) break;
      path.push(String(pair.key.value));
      node = pair.value;
    } else if (isSeq(node)) {
      const index = node.items.findLastIndex((item) => startOf(item) <= offset);
      if (index < 0) break;
      path.push(index);
      node = node.items[index];
    } else break;
  }
  return path;
}

/** The first character of the value of the field at an offset. Empty where there is none. */
export function signAt(document: Document, offset: number, text: string): string {
  const path = pathAt(document, offset);
  const last = path.at(-1);
  const parent = document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && String(key.value) === last);
  if (!pair) return text.charAt(startOf(document.getIn(path, true)));
  // Not the value's own start, which comes after an anchor or a tag.
  return /^\s*:\s*(\S)/.exec(text.slice((pair.key as Scalar).range?.[1]))?.[1] ?? '';
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? Number.POSITIVE_INFINITY;
}
