import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { DomainEntrySchema } from '../../src/catalogue/schema.ts';
import fc from '../../tests/support/fast-check.ts';
import type { Changes, FieldValues } from './changes.ts';
import { editCatalogue } from './edit-catalogue.ts';

const HEAD = `# My names
settings:
  brokerUrl: https://broker.example/{domain} # theirs
  # contact: me@example.com

# For all names
defaults: { price: make an offer, description: "{domain} is for sale.", hasBroker: false }
`;

const LIST = `domains:
  # Short ones
  - name: one.example # bought in 2009
    price: '$1,000'
    # about: |
    #   Later.

  # Long ones
  - name: two.example
    price: $2,000 # not less
    about: |
      A # that is no comment

      and: more
  - name: three.example
    # state: sold
# The end
`;

test('a new entry is written after the last one and its comments', () => {
  assert.equal(
    edit(LIST, {
      add: [{ name: 'four.example', price: '15000', hasBroker: true, about: 'One\n\nTwo: #2' }],
    }),
    LIST.replace(
      '# The end\n',
      `  - name: four.example
    price: "15000"
    hasBroker: true
    about: |-
      One

      Two: #2
# The end
`,
    ),
  );
});

test('an entry is removed with the comments inside it, and those above it stay', () => {
  const removed = (...names: string[]) => edit(LIST, { remove: new Set(names) });
  assert.equal(removed('two.example'), LIST.replace(/ {2}- name: two[\s\S]*and: more\n/, ''));
  assert.equal(removed('one.example'), LIST.replace(/ {2}- name: one[\s\S]*Later\.\n\n/, ''));
  assert.equal(removed('three.example'), LIST.replace(/ {2}- name: three[\s\S]*sold\n/, ''));
  assert.equal(
    removed('two.example', 'three.example'),
    LIST.replace(/\n {2}# Long[\s\S]*sold\n/, '  # Long ones\n'),
  );
});

test('fields are set and removed without a change to other lines', () => {
  assert.equal(
    edit(LIST, {
      set: new Map([
        ['one.example', { price: '$9', state: 'sold' }],
        ['two.example', { price: 'a: b', about: 'Short.' }],
        ['three.example', { hasBroker: true }],
      ]),
    }),
    LIST.replace("'$1,000'", '$9\n    state: sold')
      .replace('$2,000 ', '"a: b" ')
      .replace(/\|\n {6}A[\s\S]*more\n/, 'Short.\n')
      .replace('three.example\n', 'three.example\n    hasBroker: true\n'),
  );
  const sold = edit(LIST, { set: new Map([['two.example', { state: 'sold' }]]) });
  assert.equal(edit(sold, { set: new Map([['two.example', { state: undefined }]]) }), LIST);
});

test('a comment at a field that is removed stays', () => {
  const list = 'domains:\n  - name: one.example\n    state: sold # to Bob\n    price: $1\n';
  assert.equal(
    edit(list, { set: new Map([['one.example', { state: undefined }]]) }),
    'domains:\n  - name: one.example\n    # to Bob\n    price: $1\n',
  );
});

test('entries in braces stay in braces, and a list in brackets gets a line for each entry', () => {
  const entries = ['{ name: one.example, price: $1, state: sold }', '{ "name": "two.example" }'];
  const edited = `domains:
  - { name: one.example, price: "$1, or more" }
  - { "name": "two.example", state: "reserved" }
  - name: three.example
`;
  for (const list of [`\n  - ${entries.join('\n  - ')}`, `[${entries.join(', ')}]`]) {
    assert.equal(
      edit(`domains: ${list}\n`, {
        set: new Map<string, FieldValues>([
          ['one.example', { state: undefined, price: '$1, or more' }],
          ['two.example', { state: 'reserved' }],
        ]),
        add: [{ name: 'three.example' }],
      }),
      edited,
    );
  }
});

test('a long line stays one line', () => {
  const list = `domains:\n  - name: one.example\n    description: ${'Words and more. '.repeat(12).trim()}\n`;
  assert.equal(
    edit(list, { set: new Map([['one.example', { state: 'sold' }]]) }),
    `${list}    state: sold\n`,
  );
});

test('a change is rejected where other entries use an anchor that would go, with its line', () => {
  const list = `domains:
  - name: one.example
    price: &p $5,000
  - { name: two.example, price: *p }
  - name: three.example
    price: *p # same
`;
  const changes: Changes[] = [
    { remove: new Set(['one.example']) },
    { set: new Map([['one.example', { price: '$6' }]]) },
  ];
  for (const change of changes) {
    assert.throws(
      () => edit(list, change),
      /^UserError: Line 10 defines &p, which other entries use\. Nothing was written: /,
    );
  }
  const changed = edit(list, { set: new Map([['three.example', { price: '$7' }]]) });
  assert.equal(changed, list.replace('*p #', '$7 #'));
  const again = `${list}  - name: four.example\n    price: &p $9\n  - name: five.example\n    price: *p\n`;
  assert.throws(() => edit(again, { remove: new Set(['four.example']) }), /Line 15 defines &p/);
});

test('an anchor goes with its last alias', () => {
  const list =
    'domains:\n  - name: one.example\n    price: &p $5,000 # mine\n  - name: two.example\n    price: *p\n';
  const without = 'domains:\n  - name: one.example\n    price: $5,000 # mine\n';
  assert.equal(edit(list, { remove: new Set(['two.example']) }), without);
  assert.equal(
    edit(list, { remove: new Set(['one.example', 'two.example']), add: [{ name: 'three.example' }] }),
    'domains:\n  - name: three.example\n',
  );
});

test('line breaks of Windows stay, and a missing last one is written', () => {
  const edited = whole((HEAD + LIST).replaceAll('\n', '\r\n'), {
    add: [{ name: 'four.example', about: 'a\nb' }],
    remove: new Set(['one.example']),
  });
  assert.doesNotMatch(edited, /[^\r]\n|\r[^\n]/);
  assert.ok(edited.includes('- name: four.example\r\n    about: |-\r\n      a\r\n      b\r\n# The end'));
  assert.equal(
    edit('domains:\n  - name: one.example', { add: [{ name: 'two.example' }] }),
    'domains:\n  - name: one.example\n  - name: two.example\n',
  );
});

test('a byte order mark stays, and a name in another script has its readable form beside it', () => {
  const list = 'domains:\n  - name: one.example\n';
  assert.equal(
    whole(`\ufeff${list}`, { add: [{ name: 'xn--bcher-kva.example' }] }),
    `\ufeff${list}  - name: xn--bcher-kva.example # bücher.example\n`,
  );
});

test('texts by language keep their comments and their order', () => {
  const list = `domains:
  - name: one.example
    description:
      en: One. # short
      # To be checked
      de: Eins. # kurz
`;
  const edited = (description: Record<string, string> | string) =>
    edit(list, { set: new Map([['one.example', { description }]]) });
  assert.equal(edited({ de: 'Eins.', en: 'First.' }), list.replace('One.', 'First.'));
  assert.equal(edited({ en: 'One.' }), list.replace('de: Eins. ', ''));
  assert.equal(edited('One.'), list.replace(/description:\n[\s\S]*/, 'description: One.\n'));
});

test('a catalogue in JSON stays JSON', () => {
  const data = { domains: [{ name: 'one.example', price: '$1', description: 'One.' }] };
  const { text } = editCatalogue('names.json', JSON.stringify(data), {
    set: new Map([['one.example', { state: 'sold' }]]),
  });
  const [entry] = data.domains;
  assert.deepEqual(JSON.parse(text), { domains: [{ ...entry, state: 'sold' }] });
});

test('a change that makes the catalogue wrong is rejected', () => {
  assert.throws(() => edit(LIST, { add: [{ name: 'one.example' }] }), /entry 4 .* is the same as entry 1’s/);
});

/** Texts that need care in YAML. */
const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'#:-?&*!|>%@`"\'{}[],~=<$ \n\t\r\\',
        ': ',
        ' #',
        '---',
        'null',
        'true',
        '1e3',
        '\n\n',
        '  ',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join('').trim())
  .filter((text) => DomainEntrySchema.shape.price.safeParse(text).success);

/** Each `@` becomes a comment of its own. */
const FORMS = [
  '  - name: NAME @\n    @\n    price: $1 @\n\n    @\n    state: sold @\n    @\n',
  '  -   name: NAME\n      about: |+ @\n        # Text\n\n        more\n\n\n      @\n      price: "$1"\n',
  '  - description: >\n      Folded\n      text\n    name: NAME\n    @\n\n    @\n',
  '  - name: NAME\n    description: @\n      en: One. @\n      @\n    @\n',
  '  - { name: NAME, price: "$1", state: sold } @\n',
  '  - { name: NAME, @\n      price: $1, @\n      state: sold } @\n',
  '  - name: NAME\n    @\n    price: *p @\n    state: reserved @\n    @\n    @\n',
];
const ABOVE = ['', '\n', '  @\n', '\n  @\n\n  @\n', '@\n  @\n'];

const entries = fc.array(
  fc.record({
    form: fc.constantFrom(...FORMS),
    above: fc.constantFrom(...ABOVE),
    change: fc.constantFrom('none', 'remove', 'sold', 'for sale', 'price', 'all'),
    text: awkward,
  }),
  { minLength: 1, maxLength: 5 },
);

test('edited and read again, the data is as wished, and every comment outside removed entries is at its place', () => {
  fc.assert(
    fc.property(entries, awkward, fc.constantFrom('\n', '\r\n'), (list, added, lineBreak) => {
      let comments = 0;
      const numbered = (text: string) =>
        text.replaceAll('@', () => {
          comments += 1;
          return `# c${comments}c`;
        });
      const parts = list.map(({ form, above }, index) => ({
        above: numbered(above),
        own: numbered(form.replaceAll('NAME', `n${index}.example`)),
      }));
      const values = ({ change, text }: (typeof list)[number]): FieldValues => {
        if (change === 'sold') return { state: 'sold' };
        if (change === 'for sale') return { state: undefined };
        if (change === 'price') return { price: text };
        return change === 'all' ? { price: text, hasBroker: true, about: text, state: 'reserved' } : {};
      };
      const isRemoved = (index: number) => list[index]?.change === 'remove';
      const first = 'domains:\n  # List\n  - name: first.example\n    price: &p $7\n';
      // Keeps the anchor in use.
      const last = '  - name: last.example\n    price: *p\n    # Below\n# End\n';
      const text =
        HEAD + numbered(first) + parts.map(({ above, own }) => above + own).join('') + numbered(last);
      const edited = whole(text.replaceAll('\n', lineBreak), {
        add: [{ name: 'added.example', price: added, about: added }],
        set: new Map(list.flatMap((entry, index) => [[`n${index}.example`, values(entry)]])),
        remove: new Set(list.flatMap((_, index) => (isRemoved(index) ? `n${index}.example` : []))),
      });

      const { domains, ...sections } = parse(text);
      const expected = domains.flatMap((entry: { name: string }, index: number) => {
        if (isRemoved(index - 1)) return [];
        const change = list[index - 1];
        return { ...entry, ...(change && values(change)) };
      });
      for (const entry of expected) if (entry.state === undefined) delete entry.state;
      const addedEntry = { name: 'added.example', price: added, about: added };
      assert.deepEqual(parse(edited), { ...sections, domains: [...expected, addedEntry] });

      const landmarks = (yaml: string) =>
        yaml.match(/# c\d+c|name: [a-z]+\d*\.example|# (?:List|Below|End|For all|theirs|contact)/g);
      const kept = parts.map(({ above, own }, index) => above + (isRemoved(index) ? '' : own)).join('');
      const expectedText = `${HEAD}${first}${kept}${last.replace('# End', '- name: added.example # End')}`;
      assert.deepEqual(landmarks(edited), landmarks(expectedText), edited);
      assert.equal(/[^\r]\n/.test(edited), lineBreak === '\n');
    }),
    { numRuns: 500 },
  );
});

function edit(list: string, changes: Changes): string {
  const edited = whole(HEAD + list, changes);
  assert.ok(edited.startsWith(HEAD), edited);
  return edited.slice(HEAD.length);
}

function whole(text: string, changes: Changes): string {
  return editCatalogue('names.yaml', text, changes).text;
}
