import { type Alias, type Document, isScalar, type Node, visit } from 'yaml';
import { UserError } from '../config/user-error.ts';
import type { TextEdit } from './text-edits.ts';

interface Anchor {
  readonly node: Node;
  readonly aliases: Alias[];
}

/**
 * Keeps anchors and aliases in order where edits remove one of them. An anchor whose definition is removed is defined at
 * its first remaining alias: the next `price: *p` becomes `price: &p "$5"`. One without another alias goes, because the
 * catalogue may not have an anchor that nothing uses.
 * @throws UserError where the anchor’s value cannot be moved as one line
 */
export function movedAnchors(document: Document, text: string, edits: readonly TextEdit[]): TextEdit[] {
  const removed = edits.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start);
  return anchorsOf(document).flatMap(({ node, aliases }) => {
    const [first, ...others] = aliases.filter((alias) => !isInside(removed, startOf(alias)));
    const isRemoved = isInside(removed, startOf(node));
    if (isRemoved && first) return movedTo(first, others.length > 0, node, text);
    return !isRemoved && !first && aliases.length > 0 ? withoutAnchor(node, text) : [];
  });
}

function anchorsOf(document: Document): Anchor[] {
  const anchors: Anchor[] = [];
  // A name may be defined anew further down.
  const current = new Map<string, Anchor>();
  visit(document, {
    Node(_key, node) {
      if (!('anchor' in node) || !node.anchor) return;
      const anchor = { node, aliases: [] };
      anchors.push(anchor);
      current.set(node.anchor, anchor);
    },
    Alias: (_key, alias) => void current.get(alias.source)?.aliases.push(alias),
  });
  return anchors;
}

function movedTo({ source, range }: Alias, isUsed: boolean, node: Node, text: string): TextEdit {
  const [start, end] = range as [number, number, number];
  if (isScalar(node) && !String(node.value).includes('\n')) {
    return { start, end, text: `${isUsed ? `&${source} ` : ''}${JSON.stringify(node.value)}` };
  }
  const line = text.slice(0, startOf(node)).split('\n').length;
  throw new UserError(`Line ${line} defines &${source}, which other entries use. Edit the file by hand.`);
}

function withoutAnchor(node: Node, text: string): TextEdit {
  const [anchor = ''] = /&\S+\s*$/.exec(text.slice(0, startOf(node))) ?? [];
  return { start: startOf(node) - anchor.length, end: startOf(node), text: '' };
}

function startOf(node: Node): number {
  return (node.range as [number, number, number])[0];
}

/** Whether an edit replaces the text at an offset. Searches by halves, because a list may have 10,000 entries. */
function isInside(edits: readonly TextEdit[], offset: number): boolean {
  let [low, high] = [0, edits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle] as TextEdit).start <= offset) low = middle + 1;
    else high = middle;
  }
  return offset < (edits[low - 1]?.end ?? 0);
}
