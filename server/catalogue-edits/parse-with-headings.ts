import { Composer, type CST, type Document, type LineCounter, Parser } from 'yaml';

type Comments = CST.SourceToken[];

/**
 * Parses YAML so that each comment belongs to the block of its indentation. Behind a comment that is indented as the fields
 * of an entry, the parser takes those that follow for a part of that entry, too: such as the heading of the next one.
 */
export function parseWithHeadings(text: string, lines: LineCounter): Document {
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  for (const token of tokens) {
    if (token.type !== 'document') continue;
    outdentComments(token.value, (comments) => {
      token.end = [...comments, ...(token.end ?? [])];
    });
  }
  const [document] = new Composer({ lineCounter: lines }).compose(tokens);
  return document as Document;
}

/** @param leave called with the comments at the end of the block that are indented less than it */
function outdentComments(block: CST.Token | undefined | null, leave: (comments: Comments) => void): void {
  if (block?.type !== 'block-map' && block?.type !== 'block-seq') return;
  const items: { start: Comments; key?: unknown; sep?: Comments; value?: CST.Token }[] = block.items;
  for (let index = 0; index < items.length; index += 1) {
    outdentComments(items[index]?.value, (start) => {
      const next = items[index + 1];
      if (next) next.start.unshift(...start);
      else items.push({ start });
    });
  }
  const { start, key, sep, value } = items.at(-1) as (typeof items)[number];
  if (key || sep || value) return;
  const outer = start.findIndex(({ type, indent }) => type === 'comment' && indent < block.indent);
  if (outer < 0) return;
  const inner = start.findLastIndex(({ type }, index) => type === 'comment' && index < outer);
  // After the line break of the last one that stays, so that blank lines go along.
  leave(start.splice(inner < 0 ? 0 : inner + 2));
}
