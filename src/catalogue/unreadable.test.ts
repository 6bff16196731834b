import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ErrorCode, LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { whyUnreadable } from './unreadable.ts';

/** Codes that no text causes with the options that are used here. */
const WITHOUT_TEXT: readonly ErrorCode[] = ['IMPOSSIBLE', 'NON_STRING_KEY'];

const NO_COLON = 'a key has no colon after it, or a text with ": " in it has no quotes';
const COMMA = 'a comma is missing between its braces or brackets, or a text with ": " in it has no quotes';
const COLUMN = 'its lines do not begin in one column: give the keys of an entry as many spaces each';
const PERCENT = 'a line begins with %: remove it, or put the text in quotes';
const DOCUMENT = 'a line with --- or ... begins another document: remove it';
const quoted = (sign: string) => `a text that begins with ${sign} goes in quotes`;
const cutOff = (sign: string) => `is cut off: its first word was left out, because ${quoted(sign)}`;

/** A text of each fault that the library tells apart. A single line is the value of a description. */
const FAULTS: readonly (readonly [code: ErrorCode, text: string, remedy: string])[] = [
  ['ALIAS_PROPS', '&a *b', quoted('&, ! or *')],
  ['BAD_ALIAS', '& more', quoted('&')],
  ['BAD_ALIAS', '&more: fun', cutOff('&')],
  ['BAD_ALIAS', '* b', quoted('*')],
  ['BAD_ALIAS', '*more:', quoted('*')],
  ['BAD_COLLECTION_TYPE', '!!omap {a: b}', quoted('!')],
  ['BAD_DIRECTIVE', '%FOO bar\n---\na: 1\n', PERCENT],
  ['BAD_DIRECTIVE', '%TAG x\n---\na: 1\n', PERCENT],
  [
    'BAD_DQ_ESCAPE',
    '"a \\q"',
    'a \\ in double quotes is written twice: write \\\\, or put the text in single quotes',
  ],
  ['BAD_INDENT', '{a', `its closing } is missing: write it, or ${'put a text that begins with { in quotes'}`],
  ['BAD_INDENT', '[a', `its closing ] is missing: write it, or ${'put a text that begins with [ in quotes'}`],
  ['BAD_INDENT', 'a:\n    b: c\n  d: e\n', COLUMN],
  ['BAD_PROP_ORDER', '[ "a" !!str : b ]', quoted('& or !')],
  ['BAD_SCALAR_START', '@ the centre', quoted('@')],
  ['BAD_SCALAR_START', '`tick` is for sale', quoted('`')],
  ['BAD_SCALAR_START', '%50 off', quoted('%')],
  ['BAD_SCALAR_START', ', please', quoted(',')],
  ['BLOCK_AS_IMPLICIT_KEY', 'Short: and sweet', 'a text with ": " in it goes in quotes'],
  ['BLOCK_AS_IMPLICIT_KEY', '? what', quoted('?')],
  ['BLOCK_AS_IMPLICIT_KEY', 'a: b\n    c: d\n', COLUMN],
  ['BLOCK_AS_IMPLICIT_KEY', 'domains:\n  - name: a\n - name: b\n', COLUMN],
  ['BLOCK_IN_FLOW', '{ en: a de: b }', COMMA],
  ['DUPLICATE_KEY', 'a: b\na: c\n', 'the key is there twice: remove one of them'],
  ['KEY_OVER_1024_CHARS', `${'a'.repeat(1_100)}: b\n`, 'a text with ": " in it goes in quotes'],
  [
    'MISSING_CHAR',
    '"Quick',
    'its closing " is missing: write it, or put a text that begins with " in single quotes',
  ],
  [
    'MISSING_CHAR',
    "'tis",
    "its closing ' is missing: write it, or put a text that begins with ' in double quotes",
  ],
  ['MISSING_CHAR', '"a"#x', 'a note needs a space before its #, and a text with # in it goes in quotes'],
  ['MISSING_CHAR', 'a: b\nc', NO_COLON],
  ['MISSING_CHAR', 'domains:\n  - name: a\n   price: b\n', COLUMN],
  ['MISSING_CHAR', '[ "a" b ]', COMMA],
  ['MISSING_CHAR', '{ a', 'its closing } is missing: write it, or put a text that begins with { in quotes'],
  [
    'MISSING_CHAR',
    '[ a: b',
    'its closing ] is missing: write it, or put a text that begins with [ in quotes',
  ],
  ['MISSING_CHAR', '%TAG ! x\na: 1\n', PERCENT],
  ['MISSING_CHAR', 'a:\n  - &b - c\n', quoted('& or !')],
  ['MISSING_CHAR', '!!str"a"', quoted('& or !')],
  [
    'MISSING_CHAR',
    'a: |\n\n    \n  b\n',
    'an empty line above the text has more spaces than the text: remove them',
  ],
  ['MISSING_CHAR', '--- a: b\n', DOCUMENT],
  ['MULTILINE_IMPLICIT_KEY', 'domains:\n  - name: a\n    price\n    about: b\n', NO_COLON],
  ['MULTIPLE_ANCHORS', '&a &b c', cutOff('&')],
  ['MULTIPLE_ANCHORS', '&a &b [c]', quoted('&')],
  ['MULTIPLE_DOCS', 'a: b\n---\nc: d\n', DOCUMENT],
  ['MULTIPLE_TAGS', '!a !b c', cutOff('!')],
  ['MULTIPLE_TAGS', '!!str !!str a', quoted('!')],
  [
    'RESOURCE_EXHAUSTION',
    '['.repeat(20_000),
    'too many brackets are within each other: remove them, or put the text in quotes',
  ],
  ['TAB_AS_INDENT', 'domains:\n\t- name: a\n', 'a line begins with a tab: put spaces there'],
  ['TAG_RESOLVE_FAILED', '!wow this is good', cutOff('!')],
  ['TAG_RESOLVE_FAILED', '!wow!good this', quoted('!')],
  ['UNEXPECTED_TOKEN', '{domain} is for sale.', quoted('{')],
  ['UNEXPECTED_TOKEN', '[new] name', quoted('[')],
  ['UNEXPECTED_TOKEN', '*the* name', quoted('*')],
  ['UNEXPECTED_TOKEN', '| more', quoted('|')],
  ['UNEXPECTED_TOKEN', '|more', quoted('|')],
  ['UNEXPECTED_TOKEN', '> 5 offers', quoted('>')],
  ['UNEXPECTED_TOKEN', '- short', quoted('-')],
  [
    'UNEXPECTED_TOKEN',
    '"Quick" and easy',
    'text follows its closing ": put the whole of it in single quotes',
  ],
  [
    'UNEXPECTED_TOKEN',
    "'Quick' and easy",
    "text follows its closing ': put the whole of it in double quotes",
  ],
  ['UNEXPECTED_TOKEN', '} more', 'a } is one too many: remove it, or put the text in quotes'],
  ['UNEXPECTED_TOKEN', '[a,,b]', 'a comma is one too many: remove it'],
];

for (const [code, value, remedy] of FAULTS) {
  test(`the error ${code} of ${JSON.stringify(value).slice(0, 40)} is described with its remedy`, () => {
    const text =
      value.includes('\n') || /^[[{] /.test(value) ? value : `name: a\ndescription: ${value}\nprice: $5\n`;
    const { codes, problems } = read(text);
    assert.ok(codes.includes(code), codes.join());
    const [first = ''] = problems;
    assert.ok(first.endsWith(remedy), first);
    if (!remedy.startsWith('is cut off')) assert.match(first, /^\S+.* is not readable as YAML: /);
  });
}

test('every error of the library has a fault in this table, or none in a text', () => {
  const types = readFileSync('node_modules/yaml/dist/errors.d.ts', 'utf8');
  const [, union = ''] = /type ErrorCode = ([^;]+);/.exec(types) ?? [];
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
  assert.ok(codes.length > 20, union);
  const known = new Set<string>([...WITHOUT_TEXT, ...FAULTS.map(([code]) => code)]);
  assert.deepEqual(
    codes.filter((code) => !known.has(code ?? '')),
    [],
  );
});

test('an error without a remedy shows the library’s words alone', () => {
  for (const code of [...WITHOUT_TEXT, 'BAD_ALIAS', 'MISSING_CHAR', 'UNEXPECTED_TOKEN'] as const) {
    const error = new YAMLParseError([9, 10], code, 'Anew at line 2, column 1:\n\n  b: c');
    assert.deepEqual(read('a: b\nb: c\n', error).problems, ['section b is not readable as YAML: Anew']);
  }
});

test('a word in braces alone is reported, and a mapping in braces is none', () => {
  const [problem] = read('description: {domain}\n').problems;
  assert.equal(problem, `section description has a word in braces without a value: ${quoted('{')}`);
  assert.deepEqual(read('description: { en: a, de: }\n').problems, []);
});

function read(text: string, ...more: YAMLParseError[]) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  document.errors.push(...more);
  const codes = [...document.errors, ...document.warnings].map(({ code }) => code);
  return { codes, problems: whyUnreadable(document, lines, text).map(({ what }) => what) };
}
