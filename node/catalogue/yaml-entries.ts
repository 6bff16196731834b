/**
 * Edits the entries of a catalogue in YAML. Only the text of what changes is replaced, at the offsets that the parser
 * reports, so that comments, order, quotes, anchors and line breaks elsewhere stay as they are.
 */
import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  stringify,
  type YAMLMap,
} from 'yaml';
import { UserError } from '../config/user-error.ts';
import {
  type Changes,
  FIELDS,
  type Field,
  type FieldValue,
  type FieldValues,
  orderedFields,
} from './changes.ts';
import { movedAnchors } from './moved-anchors.ts';
import { applyEdits, lineEnd, lineStart, nextLine, type TextEdit } from './text-edits.ts';

type Range = [start: number, valueEnd: number, nodeEnd: number];
type Key = { value: unknown; range: Range };
type EntryPair = Pair<Key, unknown>;
type Entry = YAMLMap<Key, unknown> & { range: Range };

interface Item {
  readonly map: Entry;
  /** Offset of the entry’s `-`. */
  readonly dash: number;
}

/**
 * @param text of a catalogue without errors
 * @param document the same text, parsed with its source tokens
 * @throws UserError where the list is written in a way that cannot be edited here
 */
export function editYaml(text: string, document: Document, { add = [], set, remove }: Changes): string {
  const items = itemsOf(document.get('domains'));
  const lastKept = items.findLastIndex(({ map }) => !remove?.has(nameOf(map)));
  const edits = items.flatMap((item, index) => {
    const name = nameOf(item.map);
    if (remove?.has(name)) return removal(text, item, index > lastKept);
    const values = set?.get(name);
    return values ? fieldEdits(text, item.map, values) : [];
  });
  edits.push(...movedAnchors(document, text, edits));
  const last = items.at(-1);
  if (last && add.length > 0) {
    const entries = add.map((entry) => blockText([orderedFields(entry)], columnAt(text, last.dash)));
    edits.push(insertion(text, endOfEntry(text, last), entries.join('')));
  }
  return withLineBreaksOf(text, applyEdits(text, edits));
}

function itemsOf(list: unknown): Item[] {
  if (!isSeq(list) || list.flow) {
    throw new UserError(
      'The section domains is written in brackets: [ … ]. Commands can edit it only as a list with one "- name: …" an ' +
        'entry. Write it that way, or edit the file by hand.',
    );
  }
  const tokens = (list.srcToken as CST.BlockSequence).items;
  return list.items.map((map, index) => {
    const dash = tokens[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset;
    if (isMap(map) && dash !== undefined) return { map: map as Entry, dash };
    throw new UserError(`Entry ${index + 1} is not written with its fields below it. Edit the file by hand.`);
  });
}

function nameOf(map: Entry): string {
  return String(map.get('name'));
}

/**
 * Cuts an entry out with the comments inside it, and with the blank lines that separate it from the next one. Comments
 * above it stay, since they may head a group of entries.
 */
function removal(text: string, item: Item, isAtEnd: boolean): TextEdit {
  let end = endOfEntry(text, item);
  while (!isAtEnd && end < text.length && text.slice(end, lineEnd(text, end)).trim() === '')
    end = nextLine(text, end);
  return { start: lineStart(text, item.dash), end, text: '' };
}

/** Offset after the entry and the comments that are indented below it, such as a field that is commented out. */
function endOfEntry(text: string, { map, dash }: Item): number {
  let end = afterValue(text, map.range[1]);
  for (let line = end; line < text.length; line = nextLine(text, line)) {
    const content = text.slice(line, lineEnd(text, line));
    const indentation = content.search(/[^ ]/);
    if (content.trimStart().startsWith('#') && indentation > columnAt(text, dash)) end = nextLine(text, line);
    else if (content.trim() !== '') break;
  }
  return end;
}

function fieldEdits(text: string, map: Entry, values: FieldValues): TextEdit[] {
  return FIELDS.flatMap((field) => {
    if (!Object.hasOwn(values, field)) return [];
    const value = values[field];
    const pair = pairOf(map, field);
    if (value === undefined) return pair ? fieldRemoval(text, map, pair) : [];
    if (pair) return fieldReplacement(text, map, pair, field, value);
    return fieldAddition(text, map, field, value);
  });
}

function fieldReplacement(
  text: string,
  map: Entry,
  pair: EntryPair,
  field: Field,
  value: FieldValue,
): TextEdit {
  const [start, end] = valueRange(pair);
  const written = blockText({ [field]: value }, columnAt(text, pair.key.range[0]))
    .trimStart()
    .slice(`${field}:`.length)
    .trimStart();
  const isBlock = written.trimEnd().includes('\n');
  const rest = text.slice(end, lineEnd(text, end)).trim();
  // A block scalar's range includes its last line break, and a comment may follow any other value.
  const isAlone = text.slice(start, end).endsWith('\n');
  if (map.flow || (isBlock && !isAlone && rest !== '')) return { start, end, text: JSON.stringify(value) };
  if (isAlone) return { start, end, text: written };
  return { start, end, text: isBlock ? written.replace(/\n$/, '') : written.trimEnd() };
}

/** Writes a new field after the last of those that precede it in order. */
function fieldAddition(text: string, map: Entry, field: Field, value: FieldValue): TextEdit {
  const before = ['name', ...FIELDS.slice(0, FIELDS.indexOf(field))];
  const previous = before.flatMap((name) => pairOf(map, name) ?? []).at(-1) as EntryPair;
  const [start] = previous.key.range;
  const [, end] = valueRange(previous);
  if (!map.flow) {
    const written = blockText({ [field]: value }, columnAt(text, start));
    return insertion(text, afterValue(text, end), written);
  }
  const key = text[start] === '"' ? JSON.stringify(field) : field;
  return { start: end, end, text: `, ${key}: ${JSON.stringify(value)}` };
}

function fieldRemoval(text: string, map: Entry, pair: EntryPair): TextEdit {
  const index = map.items.indexOf(pair);
  const [start] = pair.key.range;
  const [, end] = valueRange(pair);
  if (map.flow) {
    const [previous, next] = [map.items[index - 1], map.items[index + 1]];
    if (previous) return { start: valueRange(previous)[1], end, text: '' };
    return { start, end: next?.key.range[0] ?? end, text: '' };
  }
  const after = afterValue(text, end);
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() === '') return { start: line, end: after, text: '' };
  // On the line of the dash: the next field moves there.
  const [indentation = ''] = /^ */.exec(text.slice(after, lineEnd(text, after))) ?? [];
  return { start, end: after + indentation.length, text: '' };
}

function pairOf(map: Entry, field: string): EntryPair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === field);
}

/** Start and end of a value, with its anchor and tag. */
function valueRange({ value, srcToken }: EntryPair): [number, number] {
  if (!isScalar(value) && !isAlias(value) && !isMap(value))
    throw new UserError('A field of an entry is not a single value.');
  const [start, end] = value.range as Range;
  const properties = (srcToken?.sep ?? []).filter(({ type }) => type === 'anchor' || type === 'tag');
  return [Math.min(start, ...properties.map(({ offset }) => offset)), end];
}

/** Offset of the line after a value, whose end may be a line's start already. */
function afterValue(text: string, end: number): number {
  return end === lineStart(text, end) ? end : nextLine(text, end);
}

function columnAt(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** YAML in block style, indented by `column` spaces. */
function blockText(value: unknown, column: number): string {
  const lines = stringify(value, { lineWidth: 0 }).split('\n');
  return lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line)).join('\n');
}

/** Inserts lines, after a line break where the text ends without one. */
function insertion(text: string, offset: number, lines: string): TextEdit {
  const lineBreak = offset === 0 || text[offset - 1] === '\n' ? '' : '\n';
  return { start: offset, end: offset, text: lineBreak + lines };
}

/** What is inserted has the line breaks of the file. */
function withLineBreaksOf(original: string, edited: string): string {
  return /\r\n/.test(original) && !/[^\r]\n/.test(original) ? edited.replace(/\r?\n/g, '\r\n') : edited;
}
