import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesOf } from '../i18n/languages.ts';
import { withOwnTexts } from '../i18n/own-texts.ts';
import { readOwnTexts, replaceableTexts } from './own-texts.ts';

test('texts are read by key', () => {
  const text =
    '# Mine\npage.header: Names worth owning\nbroker.link: "Ask for {domain}"\nheadline.selected.2: ""\n';
  assert.deepEqual(readOwnTexts(text, 'en'), {
    texts: {
      'page.header': 'Names worth owning',
      'broker.link': 'Ask for {domain}',
      'headline.selected.2': '',
    },
    mistakes: [],
  });
});

test('a text may leave out the time within which the owner answers, and name it', () => {
  const promises = ['We answer soon.', 'We answer within {replyTime}.'];
  for (const promise of promises) {
    const text = `form.promise: ${JSON.stringify(promise)}`;
    assert.deepEqual(readOwnTexts(text, 'en'), { texts: { 'form.promise': promise }, mistakes: [] });
  }
});

test('a file of comments has no texts', () => {
  assert.deepEqual(readOwnTexts('# None yet\n', 'en'), { texts: {}, mistakes: [] });
});

test('own texts replace messages, and only those', () => {
  const en = messagesOf('en');
  const own = withOwnTexts(en, { 'page.header': 'Mine', 'headline.selected.1': 'Get' });
  assert.deepEqual(own, {
    ...en,
    page: { ...en.page, header: 'Mine' },
    headline: { ...en.headline, selected: ['Get', 'Domain'] },
  });
  assert.deepEqual(withOwnTexts(en, {}), en);
});

test('every text can be replaced by itself', () => {
  for (const language of ['en', 'de'] as const) {
    const lines = [...replaceableTexts(language)].map(([key, text]) => `${key}: ${JSON.stringify(text)}\n`);
    assert.deepEqual(readOwnTexts(lines.join(''), language).mistakes, []);
  }
});

const rejected: [what: string, text: string, message: RegExp][] = [
  [
    'an unknown key',
    'page.haeder: Mine',
    /^text page\.haeder is not a known key: .*catalogue -- texts lists/,
  ],
  ['a name of every object', 'constructor: Mine', /^text constructor is not a known key/],
  ['a key for search engines’ programs', 'seo.locale: xx', /^text seo\.locale is not a known key/],
  [
    'the key of several texts',
    'page: Mine',
    /^text page is not the key of one text: .* such as page\.header/,
  ],
  [
    'the same key twice',
    'page.header: A\npage.header: B',
    /^text page\.header is not readable as YAML: Map keys must be unique/,
  ],
  [
    'a lost placeholder',
    'broker.link: Ask the broker',
    /^text broker\.link has other placeholders .*: write \{domain\} in it/,
  ],
  [
    'another placeholder',
    'page.header: "For {name}"',
    /^text page\.header has other placeholders .*: write it without/,
  ],
  ['markup', 'page.header: Mine<br>', /^text page\.header has markup: write plain text/],
  ['a script', 'page.header: "</script><script>alert(1)"', /^text page\.header has markup/],
  ['an HTML code', 'page.header: Mine &amp; yours', /^text page\.header has markup/],
  [
    'a long text',
    `page.header: ${'a'.repeat(61)}`,
    /^text page\.header has 61 characters: shorten it to at most 60/,
  ],
  ['a number', 'page.header: 24', /^text page\.header is not a text: put it in quotes/],
  ['an empty text', 'page.header: ""', /^text page\.header is empty: write a text, or remove the line/],
  ...['\\u200B', '\\u00AD\\u3164', '\\u2800'].map((text): [string, string, RegExp] => [
    `nothing but the invisible ${text}`,
    `page.header: "${text}"`,
    /^text page\.header is empty: write a text, or remove the line/,
  ]),
  [
    'an invisible part of a headline',
    'headline.selected.2: "\\u200B"',
    /^text headline\.selected\.2 is empty: write a text/,
  ],
  [
    'a control character of the upper range',
    'page.header: "a\\x9Bb"',
    /^text page\.header has a line break or an invisible control character/,
  ],
  [
    'a key with control characters',
    '"a\\e[2J\\x9B\\u202E": Mine',
    /^text "a\\u001b\[2J\\u\{9b\}\\u\{202e\}" is not a known key/,
  ],
  ['a long key', `? ${'a'.repeat(60_000)}\n: Mine`, /^text "a{60}…" is not a known key/],
  ['a long key that is not readable', `? ${'a'.repeat(60_000)}\n: Mine #1`, /^text "a{60}…" is cut off/],
  [
    'a line break',
    'page.header: "a\\nb"',
    /^text page\.header has a line break or an invisible control character/,
  ],
  [
    'a sign that turns the direction',
    'page.header: "a\\u202Eb"',
    /^text page\.header has a line break or an invisible/,
  ],
  ['nested keys', 'page:\n  header: Mine', /^text page is not the key of one text/],
  ['a text cut off', 'page.header: Mine #1', /^text page\.header is cut off/],
  [
    'a colon without quotes',
    'page.header: Mine: all',
    /^text page\.header is not readable as YAML: .* goes in quotes/,
  ],
];

test('a file that is a list is rejected', () => {
  const { mistakes } = readOwnTexts('\n- Mine\n', 'en');
  assert.match(mistakes[0]?.what ?? '', /^the file is not right: write lines such as page\.header/);
  assert.equal(mistakes[0]?.at?.line, 2);
});

test('a headline without any text is rejected', () => {
  const { mistakes } = readOwnTexts('headline.selected.1: ""\nheadline.selected.2: " "\n', 'en');
  assert.match(mistakes[0]?.what ?? '', /^text headline\.selected\.1 leaves nothing of its headline/);
  assert.equal(mistakes[0]?.at?.line, 1);
});

for (const [what, text, message] of rejected) {
  test(`a file of texts with ${what} is rejected`, () => {
    const { mistakes } = readOwnTexts(`page.lead: Choose a name.\n${text}\n`, 'en');
    assert.match(mistakes[0]?.what ?? '', message);
    assert.ok((mistakes[0]?.at?.line ?? 0) >= 2, JSON.stringify(mistakes[0]));
    assert.equal(mistakes.length, 1, JSON.stringify(mistakes));
  });
}
