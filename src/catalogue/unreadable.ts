/** What YAML cannot read, or reads otherwise than the owner meant it: nearly always a text that wants quotes. */
import { type Document, Scalar, visit, type YAMLParseError } from 'yaml';
import { pathAt, placeOf } from './place.ts';

export interface Unreadable {
  readonly what: string;
  readonly offset: number;
}

/** The first mistake of each field, since one makes others. */
export function whyUnreadable(document: Document, text: string): Unreadable[] {
  const aliases = unknownAliases(document);
  const found = [
    ...cutOffs(document, text).map((offset) => ({
      what: 'is cut off: everything after # was left out: put the text in quotes',
      offset,
    })),
    ...document.errors.map((error) => ({ what: sentenceFor(error), offset: error.pos[0] })),
    ...aliases.map((offset) => ({
      what: 'is not readable as YAML: a text that begins with * goes in quotes',
      offset,
    })),
  ];
  if (found.length === 0) return [];
  const data = aliases.length > 0 ? undefined : document.toJS();
  const byPlace = new Map<string, Unreadable>();
  for (const { what, offset } of found) {
    const place = placeOf(pathAt(document, offset), data);
    if (!byPlace.has(place)) byPlace.set(place, { what: `${place} ${what}`, offset });
  }
  return [...byPlace.values()];
}

function sentenceFor({ code, message }: YAMLParseError): string {
  const [why] = message.split(' at line');
  const remedy = code === 'DUPLICATE_KEY' ? '' : '. A text with ": " or " #" in it goes in quotes';
  return `is not readable as YAML: ${why}${remedy}`;
}

/** A text has no space after its `#`, unlike a note: `The #1 name`, but `$10,000   # for your own notes`. */
const CUT_OFF = /^[ \t]*#[^\s#]/;

/** Where YAML takes the rest of a text for a note, and leaves it out without a word. */
function cutOffs(document: Document, text: string): number[] {
  const offsets: number[] = [];
  visit(document, {
    Scalar(key, { type, value, range }) {
      if (key === 'key' || type !== Scalar.PLAIN || !range) return;
      const isText = typeof value === 'string' || value === null;
      if (isText && CUT_OFF.test(lineFrom(text, range[1]))) offsets.push(range[0]);
    },
  });
  return offsets;
}

function lineFrom(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(offset, end < 0 ? undefined : end);
}

/** `*great*` names what was marked `&great*` before, and here nothing is. */
function unknownAliases(document: Document): number[] {
  const offsets: number[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (!alias.resolve(document)) offsets.push(alias.range?.[0] ?? 0);
    },
  });
  return offsets;
}
