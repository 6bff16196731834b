import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { readPlain } from './read-plain.ts';
import { whyUnreadable } from './unreadable.ts';

const file = (price: string) => `settings:\n  hosts: []\ndomains:\n  - name: lap.app\n    price: ${price}\n`;
const priceIn = (text: string) => {
  const data = readPlain(text) as { domains: { price: unknown }[] } | undefined;
  return data?.domains[0]?.price;
};

const readable: [price: string, read: unknown][] = [
  ['$10', '$10'],
  ['"#1 of \\"all\\" & more"', '#1 of "all" & more'],
  ["'it''s *great*'", "it's *great*"],
  ['$10   # for your own notes', '$10'],
  ['"$10" #mine', '$10'],
  ['two\n      lines', 'two lines'],
  ['|\n      two\n      lines', 'two\nlines\n'],
  ['>-\n      two # words\n      lines', 'two # words lines'],
  ['a#b', 'a#b'],
  ['true', true],
  ['15000', 15000],
];
for (const [price, read] of readable) {
  test(`${JSON.stringify(price)} is read at once`, () => assert.deepEqual(priceIn(file(price)), read));
}

const doubtful = [
  'The #1 name',
  '#1 of all',
  '&great thing',
  '!great thing',
  '*great*',
  '',
  '~"a": b: c',
  '"open',
  '$10\n    price: $20',
  '$10\n---\nanother: document',
];
for (const price of doubtful) {
  test(`${JSON.stringify(price)} is left to the other parser`, () =>
    assert.equal(readPlain(file(price)), undefined));
}

test('what is read at once is what the other parser reads, and has nothing to say of', () => {
  const pieces =
    ' |  |:|: |#| #| # |&|*|!|"|\'|>|-|- |[|]|{|}|,|\\|\\n|true|~|null|0x1F|0b1|010|1.5|yes|a|lap.app|$10';
  const text = fc
    .array(fc.constantFrom(...pieces.split('|'), '|', '\n      ', '€', '\u00a0'), { maxLength: 6 })
    .map((some) => some.join(''));
  const value = fc.oneof(
    text,
    text.map((one) => JSON.stringify(one)),
    text.map((one) => `'${one.replaceAll("'", "''")}'`),
    text.map((one) => `|-\n      ${one}.`),
    text.map((one) => `>-\n      ${one}.`),
  );
  let read = 0;
  fc.assert(
    fc.property(value, (price) => {
      const plain = readPlain(file(price));
      if (plain === undefined) return;
      read += 1;
      const document = parseDocument(file(price));
      assert.deepEqual(whyUnreadable(document, file(price)), []);
      assert.deepEqual(plain, document.toJS());
    }),
    { seed: 1, numRuns: 5_000 },
  );
  assert.ok(read > 1_000, `${read} were read at once`);
});
