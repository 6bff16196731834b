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
    problems: [],
  });
});

test('a text may leave out the time within which the owner answers, and name it', () => {
  const promises = ['We answer soon.', 'We answer within {replyTime}.'];
  for (const promise of promises) {
    const text = `form.promise: ${JSON.stringify(promise)}`;
    assert.deepEqual(readOwnTexts(text, 'en'), { texts: { 'form.promise': promise }, problems: [] });
  }
});

test('a file of comments has no texts', () => {
  assert.deepEqual(readOwnTexts('# None yet\n', 'en'), { texts: {}, problems: [] });
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
    assert.deepEqual(readOwnTexts(lines.join(''), language).problems, []);
  }
});

test('a text may be long, empty, and have characters of markup', () => {
  const texts = { 'page.lead': 'a'.repeat(1_000), 'page.header': 'Names <$5,000 & more', 'form.submit': '' };
  assert.deepEqual(readOwnTexts(JSON.stringify(texts), 'en'), { texts, problems: [] });
});

const rejected: [what: string, text: string, message: RegExp][] = [
  [
    'an unknown key',
    'page.haeder: Mine',
    /^text page\.haeder is not a known key: .*catalogue -- texts lists/,
  ],
  ['a name of every object', 'constructor: Mine', /^text constructor is not a known key/],
  ['a key for search engines’ programs', 'seo.locale: xx', /^text seo\.locale is not a known key/],
  ['the key of several texts', 'page: Mine', /^text page is not a known key/],
  ['nested keys', 'page:\n  header: Mine', /^text page is not a known key/],
  [
    'the same key twice',
    'page.header: A\npage.header: B',
    /^text page\.header is not readable as YAML: the key is there twice/,
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
  ['a number', 'page.header: 24', /^text page\.header is not a text: put it in quotes/],
  ['a text cut off', 'page.header: Mine #1', /^text page\.header is cut off/],
  [
    'a colon without quotes',
    'page.header: Mine: all',
    /^text page\.header is not readable as YAML: .* goes in quotes/,
  ],
];

test('a file that is a list is rejected', () => {
  const { problems } = readOwnTexts('\n- Mine\n', 'en');
  assert.match(problems[0]?.what ?? '', /^is not right: write lines such as page\.header/);
  assert.equal(problems[0]?.at?.line, 2);
});

for (const [what, text, message] of rejected) {
  test(`a file of texts with ${what} is rejected`, () => {
    const { problems } = readOwnTexts(`page.lead: Choose a name.\n${text}\n`, 'en');
    assert.match(problems[0]?.what ?? '', message);
    assert.ok((problems[0]?.at?.line ?? 0) >= 2, JSON.stringify(problems[0]));
    assert.equal(problems.length, 1, JSON.stringify(problems));
  });
}
