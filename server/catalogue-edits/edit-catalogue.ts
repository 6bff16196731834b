/**
 * Edits the catalogue's file through the document of its YAML parser. Comments and the order of what stays are kept;
 * quotes of changed values, blank lines and indentation may become uniform.
 */
import { extname } from 'node:path';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { UserError } from '../../process/user-error.ts';
import { type Catalogue, parseCatalogue } from '../../src/catalogue/load.ts';
import { namesIn } from '../../src/catalogue/position-in-file.ts';
import { shownName } from '../../src/catalogue/shown-name.ts';
import { UNLIMITED_ALIASES } from '../../src/catalogue/unreadable.ts';
import type { Changes, FieldValue } from './changes.ts';
import { parseWithHeadings } from './parse-with-headings.ts';

type Entry = YAMLMap<Scalar, Node>;

/**
 * Makes the catalogue's new text, and checks that it can be loaded.
 * @param file for error messages; its ending says whether it is JSON
 * @param text of a catalogue without errors
 * @throws UserError where the new catalogue has problems, such as no entry at all, or other entries use an anchor that
 * would go
 */
export function editCatalogue(
  file: string,
  text: string,
  { add = [], set, remove }: Changes,
): { text: string; catalogue: Catalogue } {
  // Some editors write a byte order mark.
  const [mark = ''] = /^\uFEFF/.exec(text) ?? [];
  const lines = new LineCounter();
  const document = parseWithHeadings(text.slice(mark.length).replaceAll('\r\n', '\n'), lines);
  const targets = aliasTargets(document);
  const list = document.get('domains') as YAMLSeq<Entry>;
  list.flow = false;
  const names = namesIn(document.toJS(UNLIMITED_ALIASES)) as string[];
  // From the end, so that indexes stay right.
  for (const [index, name] of [...names.entries()].reverse()) {
    const entry = list.items[index] as Entry;
    for (const [field, value] of Object.entries(set?.get(name) ?? {}))
      setField(document, entry, field, value);
    if (remove?.has(name)) removeItem(list, index, [entry]);
  }
  for (const entry of add) {
    const node = document.createNode(entry) as Entry;
    const readable = shownName(entry.name);
    const name = node.get('name', true);
    if (name && readable !== entry.name) name.comment = ` ${readable}`;
    list.add(node);
  }
  releaseAnchors(document, targets, lines);
  const edited =
    extname(file) === '.json'
      ? `${JSON.stringify(document, null, 2)}\n`
      : document.toString({ lineWidth: 0 }); // The default folds long lines.
  const written = text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
  try {
    return { text: mark + written, catalogue: parseCatalogue(file, written) };
  } catch (error) {
    const [, ...problems] = (error as Error).message.split('\n');
    throw new UserError(
      `Nothing was written, because the catalogue would be wrong then:\n${problems.join('\n')}`,
    );
  }
}

/** @param value undefined: removes the field */
function setField(document: Document, entry: Entry, field: string, value: FieldValue | undefined): void {
  const index = entry.items.findIndex(({ key }) => key.value === field);
  const pair = entry.items[index];
  const former = pair?.value;
  if (value === undefined) {
    if (pair && former) removeItem(entry, index, [pair.key, former], former.comment);
    return;
  }
  // Texts by language keep their comments, and their order.
  if (pair && isMap(former) && typeof value === 'object') {
    const texts = former as Entry;
    for (const { key } of [...texts.items])
      if (!(String(key.value) in value)) setField(document, texts, String(key.value), undefined);
    for (const [language, text] of Object.entries(value)) {
      const known = texts.get(language, true);
      if (!isScalar(known) || (known.value as unknown) !== text) setField(document, texts, language, text);
    }
    return;
  }
  const node = document.createNode(value) as Scalar;
  // In braces the library writes "?" and a line break so that it cannot read them.
  if (entry.flow && typeof value === 'string') node.type = Scalar.QUOTE_DOUBLE;
  if (!pair) entry.items.push(document.createPair(field, node) as Pair<Scalar, Node>);
  else {
    // Not the library's `set`: it keeps an anchor, and so changes all its aliases, and loses an alias's comment.
    const { comment = null, commentBefore = null } = former ?? {};
    pair.value = Object.assign(node, { comment, commentBefore });
  }
}

/** Leaves the comments above an item, and what else is given, to the next one or to the end of the collection. */
function removeItem(
  collection: YAMLSeq<Entry> | Entry,
  index: number,
  nodes: Node[],
  ...more: (string | null | undefined)[]
): void {
  collection.items.splice(index, 1);
  const next: Entry | Pair<Scalar, Node> | undefined = collection.items[index];
  const above = [...nodes.map(({ commentBefore }) => commentBefore), ...more];
  const joined = (comment: string | null | undefined) =>
    [...above, comment].filter(Boolean).join('\n') || null;
  if (!next) collection.comment = joined(collection.comment);
  else {
    const node = isMap(next) ? next : next.key;
    node.commentBefore = joined(node.commentBefore);
    // A blank line above the first one would get spaces.
    node.spaceBefore = index > 0 && (node.spaceBefore || nodes[0]?.spaceBefore) === true;
  }
}

/** The node that each alias stands for. In one pass: `alias.resolve` reads the whole file. */
function aliasTargets(document: Document): Map<Alias, Node | undefined> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** Removes the anchors that lost their last alias, because the catalogue may not have one that nothing uses. */
function releaseAnchors(document: Document, before: Map<Alias, Node | undefined>, lines: LineCounter): void {
  const now = aliasTargets(document);
  for (const [alias, target] of now) {
    const former = before.get(alias);
    if (former === target) continue;
    const { line } = lines.linePos(former?.range?.[0] ?? 0);
    throw new UserError(
      `Line ${line} defines &${alias.source}, which other entries use. Nothing was written: write the value itself there first.`,
    );
  }
  const used = new Set(now.values());
  for (const node of before.values()) if (node && !isAlias(node) && !used.has(node)) delete node.anchor;
}
