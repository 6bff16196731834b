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
  type NewEntry,
  orderedFields,
} from './changes.ts';
import { movedAnchors } from './moved-anchors.ts';
import { applyEdits, lineEnd, lineStart, nextLine, type TextEdit } from './text-edits.ts';

type Entry = YAMLMap<{ value: unknown; range: [number, number, number] }, unknown>;

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
export function editYaml(text: string, document: Document, { add, set, remove }: Changes): string {
  const items = itemsOf(document.get('domains'));
  const lastKept = items.findLastIndex(({ map }) => !remove.has(nameOf(map)));
  const edits: TextEdit[] = [];
  for (const [index, item] of items.entries()) {
    const name = nameOf(item.map);
    const values = set.get(name);
    if (remove.has(name)) edits.push(removal(text, item, index > lastKept));
    else if (values) edits.push(...fieldEdits(text, item.map, values));
  }
  edits.push(...movedAnchors(document, text, edits));
  const last = items.at(-1);
  if (last && add.length > 0) edits.push(addition(text, last, add));
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
  const end = endOfEntry(text, item);
  return { start: lineStart(text, item.dash), end: isAtEnd ? end : afterBlankLines(text, end), text: '' };
}

/** Offset after the entry and the comments that are indented below it, such as a field that is commented out. */
function endOfEntry(text: string, { map, dash }: Item): number {
  const column = dash - lineStart(text, dash);
  const [, valueEnd] = map.range as [number, number, number];
  let end = valueEnd === lineStart(text, valueEnd) ? valueEnd : nextLine(text, valueEnd);
  for (let line = end; line < text.length; line = nextLine(text, line)) {
    const [indentation = ''] = /^ */.exec(text.slice(line, lineEnd(text, line))) ?? [];
    const rest = text.slice(line + indentation.length, lineEnd(text, line)).trim();
    if (rest.startsWith('#') && indentation.length > column) end = nextLine(text, line);
    else if (rest !== '') break;
  }
  return end;
}

function afterBlankLines(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && text.slice(end, lineEnd(text, end)).trim() === '') end = nextLine(text, end);
  return end;
}

function addition(text: string, last: Item, add: readonly NewEntry[]): TextEdit {
  const column = last.dash - lineStart(text, last.dash);
  const offset = endOfEntry(text, last);
  const entries = add.map((entry) => blockText([orderedFields(entry)], column));
  return { start: offset, end: offset, text: `${breakBefore(text, offset)}${entries.join('')}` };
}

function fieldEdits(text: string, map: Entry, values: FieldValues): TextEdit[] {
  return FIELDS.flatMap((field) => {
    if (!Object.hasOwn(values, field)) return [];
    const value = values[field];
    const pair = pairOf(map, field);
    if (value === undefined) return pair ? [fieldRemoval(text, map, pair)] : [];
    if (pair) return [fieldReplacement(text, map, pair, field, value)];
    return [fieldAddition(text, map, field, value)];
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
  if (map.flow) return { start, end, text: JSON.stringify(value) };
  const source = text.slice(start, end);
  const written = blockText({ [field]: value }, columnOf(text, pair))
    .trimStart()
    .slice(`${field}:`.length)
    .trimStart();
  // A block scalar's range includes its last line break, and a comment may follow any other value.
  if (source.endsWith('\n')) return { start, end, text: written };
  const rest = text.slice(end, lineEnd(text, end)).trim();
  const isBlock = written.trimEnd().includes('\n');
  if (isBlock && rest !== '') return { start, end, text: JSON.stringify(value) };
  return { start, end, text: isBlock ? written.replace(/\n$/, '') : written.trimEnd() };
}

/** Writes a new field after the last of those that precede it in order. */
function fieldAddition(text: string, map: Entry, field: Field, value: FieldValue): TextEdit {
  const before = ['name', ...FIELDS.slice(0, FIELDS.indexOf(field))].flatMap(
    (name) => pairOf(map, name) ?? [],
  );
  const previous = before.at(-1) as EntryPair;
  const [, end] = valueRange(previous);
  if (map.flow)
    return { start: end, end, text: `, ${flowKey(text, previous, field)}: ${JSON.stringify(value)}` };
  const offset = end === lineStart(text, end) ? end : nextLine(text, end);
  const written = blockText({ [field]: value }, columnOf(text, previous));
  return { start: offset, end: offset, text: `${breakBefore(text, offset)}${written}` };
}

/** Quotes a key if its neighbour is quoted. */
function flowKey(text: string, neighbour: EntryPair, field: string): string {
  return text[neighbour.key.range[0]] === '"' ? JSON.stringify(field) : field;
}

function fieldRemoval(text: string, map: Entry, pair: EntryPair): TextEdit {
  const index = map.items.indexOf(pair);
  const start = pair.key.range[0];
  const [, end] = valueRange(pair);
  const [previous, next] = [map.items[index - 1], map.items[index + 1]] as (EntryPair | undefined)[];
  if (map.flow) {
    if (previous) return { start: valueRange(previous)[1], end, text: '' };
    return { start, end: next?.key.range[0] ?? end, text: '' };
  }
  const after = end === lineStart(text, end) ? end : nextLine(text, end);
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() === '') return { start: line, end: after, text: '' };
  // On the line of the dash: the next field moves there.
  const [indentation = ''] = /^ */.exec(text.slice(after, lineEnd(text, after))) ?? [];
  return { start, end: after + indentation.length, text: '' };
}

type EntryPair = Pair<{ value: unknown; range: [number, number, number] }, unknown>;

function pairOf(map: Entry, field: string): EntryPair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === field);
}

/** Start and end of a value, with its anchor and tag. */
function valueRange({ value, srcToken }: EntryPair): [number, number] {
  if (!isScalar(value) && !isAlias(value) && !isMap(value))
    throw new UserError('A field of an entry is not a single value.');
  const [start, end] = value.range as [number, number, number];
  const properties = (srcToken?.sep ?? []).filter(({ type }) => type === 'anchor' || type === 'tag');
  return [Math.min(start, ...properties.map(({ offset }) => offset)), end];
}

function columnOf(text: string, { key }: EntryPair): number {
  return key.range[0] - lineStart(text, key.range[0]);
}

/** YAML in block style, indented by `column` spaces. */
function blockText(value: unknown, column: number): string {
  const lines = stringify(value, { lineWidth: 0 }).split('\n');
  return lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line)).join('\n');
}

/** A line break where the text ends without one. */
function breakBefore(text: string, offset: number): string {
  return offset === 0 || text[offset - 1] === '\n' ? '' : '\n';
}

/** What is inserted has the line breaks of the file. */
function withLineBreaksOf(original: string, edited: string): string {
  return /\r\n/.test(original) && !/[^\r]\n/.test(original) ? edited.replace(/\r?\n/g, '\r\n') : edited;
}
