/** Finds text that YAML cannot parse, or parses differently than intended: nearly always a string without quotes. */
import { type Document, isMap, type LineCounter, Scalar, visit, type YAMLError } from 'yaml';
import type { Problem } from './describe-problems.ts';
import { pathAt, placeOf, signAt } from './position-in-file.ts';
import { quoted, remedyFor } from './yaml-remedies.ts';

/**
 * The first problem of each field, since one causes others.
 * @param lines of the same text
 * @param nameOf names a place in the file for the message
 */
export function whyUnreadable(
  document: Document,
  lines: LineCounter,
  text: string,
  nameOf = placeOf,
): Problem[] {
  const { unusedAnchors, cutOffs, unknownAliases, nearlyMaps } = misreadNodes(document, text);
  const problem = (what: string) => (offset: number) => ({ what, offset });
  const ofLibrary = (error: YAMLError) => ({ what: messageFor(error, document, text), offset: error.pos[0] });
  const found = [
    ...unusedAnchors.map(problem(withoutFirstWord('&'))),
    ...document.warnings.map((warning) => {
      const isTag = warning.code === 'TAG_RESOLVE_FAILED';
      return { ...ofLibrary(warning), ...(isTag && { what: withoutFirstWord('!') }) };
    }),
    ...cutOffs.map(problem('is cut off: everything after # was left out: put the text in quotes')),
    ...document.errors.map(ofLibrary),
    ...unknownAliases.map(problem(`is not readable as YAML: ${quoted('*')}`)),
    ...nearlyMaps.map(problem(`has a word in braces without a value: ${quoted('{')}`)),
  ];
  if (found.length === 0) return [];
  const data = unknownAliases.length > 0 ? undefined : document.toJS(UNLIMITED_ALIASES);
  const byPlace = new Map<string, Problem>();
  for (const { what, offset } of found) {
    const place = nameOf(pathAt(document, offset), data);
    if (!byPlace.has(place)) byPlace.set(place, { what: `${place} ${what}`, at: lines.linePos(offset) });
  }
  return [...byPlace.values()];
}

/** One price can be used in many entries (`&p`, `*p`); by default the library throws above a hundred. */
export const UNLIMITED_ALIASES = { maxAliasCount: -1 };

function messageFor({ code, message, pos: [offset] }: YAMLError, document: Document, text: string): string {
  // The library appends the place.
  const [words = ''] = message.split(' at line');
  const remedy = remedyFor(code, words, { rest: text.slice(offset), sign: signAt(document, offset, text) });
  return `is not readable as YAML: ${remedy ?? words}`;
}

function withoutFirstWord(mark: string): string {
  return `is cut off: its first word was left out, because ${quoted(mark)}`;
}

/**
 * The rest of a text that YAML takes for a comment, and drops silently. A text has no space after its `#`, unlike a
 * comment: `The #1 name`, but `$10,000   # for your own notes`.
 */
const CUT_OFF = /^[ \t]*#[^\s#]/;

/** Offsets of nodes that YAML reads differently than intended. In one pass: `alias.resolve` reads the whole file. */
function misreadNodes(document: Document, text: string) {
  /** `&great thing` defines an anchor `great` that nothing uses. */
  const scalarAnchors = new Map<string, number>();
  const anchors = new Set<string>();
  const aliases = new Set<string>();
  /** `*great*` is an alias of an anchor `&great*` that does not exist. */
  const unknownAliases: number[] = [];
  const cutOffs: number[] = [];
  /** `{domain}` is a mapping whose key has no value. */
  const nearlyMaps: number[] = [];
  visit(document, {
    Collection(_key, node) {
      const { anchor, flow, range } = node;
      if (anchor) anchors.add(anchor);
      if (flow && isMap(node) && node.items.some(({ value }) => value === null))
        nearlyMaps.push(range?.[0] ?? 0);
    },
    Scalar(key, { anchor, type, value, range }) {
      const [start, end] = range ?? [0, 0];
      if (anchor) {
        anchors.add(anchor);
        scalarAnchors.set(anchor, start);
      }
      const isText = type === Scalar.PLAIN && (typeof value === 'string' || value === null);
      if (key !== 'key' && isText && CUT_OFF.test(text.slice(end))) cutOffs.push(start);
    },
    Alias(_key, { source, range }) {
      aliases.add(source);
      if (!anchors.has(source)) unknownAliases.push(range?.[0] ?? 0);
    },
  });
  const unused = [...scalarAnchors].filter(([name]) => !aliases.has(name));
  return { unusedAnchors: unused.map(([, offset]) => offset), unknownAliases, cutOffs, nearlyMaps };
}
