/** Finds text that YAML cannot parse, or parses differently than intended: nearly always a string without quotes. */
import { type Document, type ErrorCode, Scalar, visit, type YAMLParseError, type YAMLWarning } from 'yaml';
import { pathAt, placeOf } from './position-in-file.ts';

export interface Unreadable {
  readonly what: string;
  readonly offset: number;
}

/**
 * The first mistake of each field, since one causes others.
 * @param nameOf names a place in the file for the message
 */
export function whyUnreadable(document: Document, text: string, nameOf = placeOf): Unreadable[] {
  const aliases = unknownAliases(document);
  const found = [
    ...[...unusedAnchors(document)].map((offset) => ({
      what: 'is cut off: its first word was left out, because a text that begins with & goes in quotes',
      offset,
    })),
    ...document.warnings.map((warning) => ({
      what:
        warning.code === 'TAG_RESOLVE_FAILED'
          ? 'is cut off: its first word was left out, because a text that begins with ! goes in quotes'
          : messageFor(warning),
      offset: warning.pos[0],
    })),
    ...cutOffs(document, text).map((offset) => ({
      what: 'is cut off: everything after # was left out: put the text in quotes',
      offset,
    })),
    ...document.errors.map((error) => ({ what: messageFor(error), offset: error.pos[0] })),
    ...aliases.map((offset) => ({
      what: 'is not readable as YAML: a text that begins with * goes in quotes',
      offset,
    })),
  ];
  if (found.length === 0) return [];
  const data = aliases.length > 0 ? undefined : document.toJS(UNLIMITED_ALIASES);
  const byPlace = new Map<string, Unreadable>();
  for (const { what, offset } of found) {
    const place = nameOf(pathAt(document, offset), data);
    if (!byPlace.has(place)) byPlace.set(place, { what: `${place} ${what}`, offset });
  }
  return [...byPlace.values()];
}

/** One price can be used in many entries (`&p`, `*p`); by default the library throws above a hundred. */
export const UNLIMITED_ALIASES = { maxAliasCount: -1 };

function messageFor({ code, message }: YAMLParseError | YAMLWarning): string {
  const [why] = message.split(' at line');
  return `is not readable as YAML: ${REMEDIES[code] ?? `${why}. A text with ": " or " #" in it goes in quotes`}`;
}

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  DUPLICATE_KEY: 'Map keys must be unique',
  TAB_AS_INDENT: 'a line begins with a tab: put spaces there',
  MULTIPLE_DOCS: 'a line with --- begins another document: remove it',
  BAD_INDENT: 'its lines do not begin in one column: give the keys of an entry as many spaces each',
};

/** A text has no space after its `#`, unlike a comment: `The #1 name`, but `$10,000   # for your own notes`. */
const CUT_OFF = /^[ \t]*#[^\s#]/;

/** Offsets where YAML takes the rest of a text for a comment and drops it silently. */
function cutOffs(document: Document, text: string): number[] {
  const offsets: number[] = [];
  visit(document, {
    Scalar(key, { type, value, range }) {
      if (key === 'key' || type !== Scalar.PLAIN || !range) return;
      const isText = typeof value === 'string' || value === null;
      if (isText && isCutOffAt(range[1], text)) offsets.push(range[0]);
    },
  });
  return offsets;
}

/** Whether what follows a text without quotes is more likely its rest than a comment. */
function isCutOffAt(end: number, text: string): boolean {
  const lineEnd = text.indexOf('\n', end);
  return CUT_OFF.test(text.slice(end, lineEnd < 0 ? undefined : lineEnd));
}

/** `&great thing` defines an anchor `great` that nothing uses. */
function unusedAnchors(document: Document): number[] {
  const offsets = new Map<string, number>();
  visit(document, {
    Scalar(_key, { anchor, range }) {
      if (anchor) offsets.set(anchor, range?.[0] ?? 0);
    },
  });
  visit(document, { Alias: (_key, { source }) => void offsets.delete(source) });
  return [...offsets.values()];
}

/** `*great*` is an alias of an anchor `&great*` that does not exist. In one pass: `alias.resolve` reads the whole file. */
function unknownAliases(document: Document): number[] {
  const offsets: number[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node(_key, node) {
      if ('anchor' in node && node.anchor) anchors.add(node.anchor);
    },
    Alias(_key, { source, range }) {
      if (!anchors.has(source)) offsets.push(range?.[0] ?? 0);
    },
  });
  return offsets;
}
