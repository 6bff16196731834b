/** What to do about each error of the YAML library. A code covers several faults, told apart by the library's words or by the text. */
import type { ErrorCode } from 'yaml';

/** Where an error is: the text from there on, and the first character of the value that it is in. */
interface Place {
  readonly rest: string;
  readonly sign: string;
}

const MISALIGNED = 'its lines do not begin in one column: give the keys of an entry as many spaces each';
const COLON = 'a text with ": " in it goes in quotes';
const NO_COLON = 'a key has no colon after it, or a text with ": " in it has no quotes';
const COMMA = 'a comma is missing between its braces or brackets, or a text with ": " in it has no quotes';
const PERCENT = 'a line begins with %: remove it, or put the text in quotes';
const DOCUMENT = 'a line with --- or ... begins another document: remove it';
/** Signs with a meaning at the beginning of a value, after which other text may follow. */
const MEANINGFUL = '{[*|>-?';
const OTHER_QUOTES: Readonly<Record<string, string>> = { '"': 'single quotes', "'": 'double quotes' };

/** By code and the beginning or end of the library's words. The first that fits and has a remedy decides. */
const REMEDIES: readonly (readonly [
  code: ErrorCode,
  words: RegExp,
  remedy: string | ((place: Place) => string | undefined),
])[] = [
  ['ALIAS_PROPS', /^/, quoted('&, ! or *')],
  ['BAD_ALIAS', /^Anchor/, quoted('&')],
  ['BAD_ALIAS', /^Alias/, quoted('*')],
  ['BAD_COLLECTION_TYPE', /^/, quoted('!')],
  ['BAD_DIRECTIVE', /^/, PERCENT],
  [
    'BAD_DQ_ESCAPE',
    /^/,
    'a \\ in double quotes is written twice: write \\\\, or put the text in single quotes',
  ],
  ['BAD_INDENT', /}$/, unclosed('{', '}')],
  ['BAD_INDENT', /\]$/, unclosed('[', ']')],
  ['BAD_INDENT', /^/, MISALIGNED],
  ['BAD_PROP_ORDER', /^/, quoted('& or !')],
  ['BAD_SCALAR_START', /^/, ({ rest }) => quoted(rest.charAt(0))],
  ['BLOCK_AS_IMPLICIT_KEY', /^A block sequence/, MISALIGNED],
  ['BLOCK_AS_IMPLICIT_KEY', /^/, ({ sign }) => (sign === '?' ? quoted(sign) : undefined)],
  ['BLOCK_AS_IMPLICIT_KEY', /^/, ({ rest }) => (/^.*?:(?:\s|$)/.test(rest) ? COLON : MISALIGNED)],
  ['BLOCK_IN_FLOW', /^/, COMMA],
  ['DUPLICATE_KEY', /^/, 'the key is there twice: remove one of them'],
  ['KEY_OVER_1024_CHARS', /^/, COLON],
  ['MISSING_CHAR', /^Missing closing "/, unclosed('"', '"')],
  ['MISSING_CHAR', /^Missing closing '/, unclosed("'", "'")],
  ['MISSING_CHAR', /^Comments/, 'a note needs a space before its #, and a text with # in it goes in quotes'],
  ['MISSING_CHAR', /^Implicit map keys/, NO_COLON],
  ['MISSING_CHAR', /^Sequence item without/, MISALIGNED],
  ['MISSING_CHAR', /^Missing , /, COMMA],
  ['MISSING_CHAR', /}$/, unclosed('{', '}')],
  ['MISSING_CHAR', /\]$/, unclosed('[', ']')],
  ['MISSING_CHAR', /^Missing directives-end/, PERCENT],
  ['MISSING_CHAR', /^Tags and anchors|^Missing newline after block sequence props/, quoted('& or !')],
  [
    'MISSING_CHAR',
    /^Block scalars/,
    'an empty line above the text has more spaces than the text: remove them',
  ],
  ['MISSING_CHAR', /^Block collection cannot/, DOCUMENT],
  ['MULTILINE_IMPLICIT_KEY', /^/, NO_COLON],
  ['MULTIPLE_ANCHORS', /^/, quoted('&')],
  ['MULTIPLE_DOCS', /^/, DOCUMENT],
  ['MULTIPLE_TAGS', /^/, quoted('!')],
  [
    'RESOURCE_EXHAUSTION',
    /^/,
    'too many brackets are within each other: remove them, or put the text in quotes',
  ],
  ['TAB_AS_INDENT', /^/, 'a line begins with a tab: put spaces there'],
  ['TAG_RESOLVE_FAILED', /^/, quoted('!')],
  [
    'UNEXPECTED_TOKEN',
    /^Unexpected flow-/,
    ({ rest }) => `a ${rest.charAt(0)} is one too many: remove it, or put the text in quotes`,
  ],
  ['UNEXPECTED_TOKEN', /^Unexpected (?:,|empty item) in/, 'a comma is one too many: remove it'],
  ['UNEXPECTED_TOKEN', /^/, ({ sign }) => (sign && MEANINGFUL.includes(sign) ? quoted(sign) : undefined)],
  [
    'UNEXPECTED_TOKEN',
    /^/,
    ({ sign }) =>
      OTHER_QUOTES[sign] && `text follows its closing ${sign}: put the whole of it in ${OTHER_QUOTES[sign]}`,
  ],
];

/** Undefined where the library's own words have to do. */
export function remedyFor(code: ErrorCode, words: string, place: Place): string | undefined {
  for (const [ofCode, beginningOrEnd, remedy] of REMEDIES) {
    if (ofCode !== code || !beginningOrEnd.test(words)) continue;
    const found = typeof remedy === 'string' ? remedy : remedy(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The remedy for a text that begins with a sign which YAML takes for its own. */
export function quoted(sign: string): string {
  return `a text that begins with ${sign} goes in quotes`;
}

function unclosed(opening: string, closing: string): string {
  const quotes = OTHER_QUOTES[opening] ?? 'quotes';
  return `its closing ${closing} is missing: write it, or put a text that begins with ${opening} in ${quotes}`;
}
