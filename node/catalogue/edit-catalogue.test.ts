import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DomainEntrySchema } from '../../src/catalogue/schema.ts';
import type { Changes } from './changes.ts';
import { editCatalogue } from './edit-catalogue.ts';

const HEAD = `# My names
settings:
  brokerUrl: https://broker.example/{domain}   # theirs
defaults: { price: make an offer, description: "{domain} is for sale.", hasBroker: false }
`;

const LIST = `domains:
  # Short ones
  - name: one.example   # bought in 2009
    price: '$1,000'
    # about: |
    #   Later.

  # Long ones
  -   name: two.example
      price:   $2,000      # not less
      about: |
        A # that is no comment

        and: more
  - name: three.example
    # state: sold
# The end
`;

test('a new entry is written after the last one and its comments', () => {
  const text = edit(LIST, {
    add: [{ name: 'four.example', price: '15000', hasBroker: true, about: 'One\n\nTwo: #2' }],
  });
  assert.equal(
    text,
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
  assert.equal(
    edit(LIST, { remove: new Set(['two.example']) }),
    LIST.replace(/ {2}- {3}name: two[\s\S]*and: more\n/, ''),
  );
  assert.equal(
    edit(LIST, { remove: new Set(['one.example']) }),
    LIST.replace(/ {2}- name: one[\s\S]*Later\.\n\n/, ''),
  );
  assert.equal(
    edit(LIST, { remove: new Set(['two.example', 'three.example']) }),
    LIST.replace(/ {2}- {3}name: two[\s\S]*# state: sold\n/, ''),
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
      .replace(/\|\n {8}A[\s\S]*more\n/, 'Short.\n')
      .replace('three.example\n', 'three.example\n    hasBroker: true\n'),
  );
  const sold = edit(LIST, { set: new Map([['two.example', { state: 'sold' }]]) });
  assert.equal(edit(sold, { set: new Map([['two.example', { state: undefined }]]) }), LIST);
});

test('a state on the line of the dash is removed', () => {
  const list = 'domains:\n  - state: sold # to Bob\n    name: one.example\n';
  assert.equal(
    edit(list, { set: new Map([['one.example', { state: undefined }]]) }),
    'domains:\n  - name: one.example\n',
  );
});

test('entries in braces keep their form', () => {
  const list =
    'domains:\n- { name: one.example, price: "$1", state: sold } # mine\n- {"name": "two.example"}\n';
  assert.equal(
    edit(list, {
      set: new Map([
        ['one.example', { state: undefined, price: '$1, or more', about: 'a\nb' }],
        ['two.example', { state: 'reserved' }],
      ]),
      add: [{ name: 'three.example' }],
    }),
    `domains:
- { name: one.example, price: "$1, or more", about: "a\\nb" } # mine
- {"name": "two.example", "state": "reserved"}
- name: three.example
`,
  );
});

test('an entry with a description for each language can be changed', () => {
  const list = `domains:
  - name: one.example
    description:
      en: One.   # short
      de: Eins.
  - { name: two.example, description: { en: Two., de: Zwei. } }
`;
  assert.equal(
    edit(list, {
      set: new Map([
        ['one.example', { state: 'sold' }],
        ['two.example', { state: 'sold' }],
      ]),
    }),
    list.replace('de: Eins.\n', '$&    state: sold\n').replace('Zwei. } }', 'Zwei. }, state: "sold" }'),
  );
});

test('an anchor moves to its first alias when its definition goes', () => {
  const list = `domains:
  - name: one.example
    price: &p $5,000
  - { name: two.example, price: *p }
  - name: three.example
    price: *p # same
`;
  const gone = edit(list, { remove: new Set(['one.example']) });
  assert.equal(
    gone,
    'domains:\n  - { name: two.example, price: &p "$5,000" }\n  - name: three.example\n    price: *p # same\n',
  );
  const changed = edit(list, { set: new Map([['one.example', { price: '$6' }]]) });
  assert.match(changed, /price: \$6\n {2}- \{ name: two\.example, price: &p "\$5,000" \}/);
  assert.match(edit(list, { set: new Map([['three.example', { price: '$7' }]]) }), /price: \$7 # same/);
  const lines = list.replace('&p $5,000', '&p "a\\nb"');
  assert.throws(
    () => edit(lines, { remove: new Set(['one.example']) }),
    /Line 7 defines &p, which other entries use\. Edit the file by hand\./,
  );
});

test('an anchor goes with its last alias', () => {
  const list =
    'domains:\n  - name: one.example\n    price: &p $5,000 # mine\n  - name: two.example\n    price: *p\n';
  assert.equal(
    edit(list, { remove: new Set(['two.example']) }),
    'domains:\n  - name: one.example\n    price: $5,000 # mine\n',
  );
  assert.equal(
    edit(list, { remove: new Set(['one.example']) }),
    'domains:\n  - name: two.example\n    price: "$5,000"\n',
  );
});

test('line breaks of Windows, a missing last one and blank lines of a text stay', () => {
  const windows = (HEAD + LIST).replaceAll('\n', '\r\n');
  const edited = whole(windows, {
    add: [{ name: 'four.example', about: 'a\nb' }],
    remove: new Set(['one.example']),
  });
  assert.doesNotMatch(edited, /[^\r]\n/);
  assert.ok(edited.includes('- name: four.example\r\n    about: |-\r\n      a\r\n      b\r\n# The end'));
  assert.equal(
    edit('domains:\n  - name: one.example', { add: [{ name: 'two.example' }] }),
    'domains:\n  - name: one.example\n  - name: two.example\n',
  );
  assert.equal(
    edit('domains:\n  - name: one.example', { set: new Map([['one.example', { state: 'sold' }]]) }),
    'domains:\n  - name: one.example\n    state: sold\n',
  );
});

test('a catalogue in JSON keeps its indentation', () => {
  const data = {
    settings: { brokerUrl: 'https://b.example/{domain}' },
    domains: [{ name: 'one.example', price: '$1', description: 'One.', hasBroker: true }],
  };
  for (const indentation of [undefined, 2, '\t']) {
    const changes: Changes = { set: new Map([['one.example', { state: 'sold' }]]) };
    const { text } = editCatalogue('names.json', `${JSON.stringify(data, null, indentation)}\n`, changes);
    const [entry] = data.domains;
    assert.equal(
      text,
      `${JSON.stringify({ ...data, domains: [{ ...entry, state: 'sold' }] }, null, indentation)}\n`,
    );
  }
});

test('an entry whose fields cannot be found in the text is not changed', () => {
  const list = 'domains:\n  - ? name\n    : one.example\n';
  assert.throws(
    () => edit(list, { set: new Map([['one.example', { state: 'sold' }]]) }),
    /^UserError: names\.yaml is written in a way that this command cannot edit .* Edit the file by hand\.$/,
  );
});

test('a list in brackets is rejected, and so is a change that makes the catalogue wrong', () => {
  const list = 'domains: [{ name: one.example }]\n';
  assert.throws(
    () => edit(list, { add: [{ name: 'two.example' }] }),
    /The section domains is written in brackets: .* Write it that way, or edit the file by hand\.$/,
  );
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

test('any text can be written in any form of entry, and no line of other entries changes', () => {
  const entry = fc.record({
    form: fc.constantFrom('block', 'own line', 'braces', 'alias', 'literal'),
    change: fc.constantFrom('none', 'remove', 'sold', 'price', 'about', 'all'),
    text: awkward,
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), awkward, (entries, added) => {
      const names = entries.map((_, index) => `n${index}.example`);
      const parts = entries.map(({ form }, index) => entryText(form, `n${index}.example`));
      const anchor = entries.some(({ form }) => form === 'alias') ? '&p ' : '';
      const list = `domains:\n  # List\n  - name: first.example\n    price: ${anchor}$7\n${parts.join('')}# End\n`;
      const removed = entries.flatMap(({ change }, index) =>
        change === 'remove' ? (names[index] ?? []) : [],
      );
      const set = entries.flatMap(({ change, text }, index) => {
        const values = {
          sold: { state: 'sold' as const },
          price: { price: text },
          about: { about: text },
          all: { state: undefined, price: text, description: text, hasBroker: true, about: text },
        };
        if (change === 'none' || change === 'remove') return [];
        return [[names[index] ?? '', values[change]] as const];
      });
      const edited = edit(list, {
        add: [{ name: 'added.example', price: added, about: added }],
        set: new Map(set),
        remove: new Set(removed),
      });
      for (const [index, { change }] of entries.entries()) {
        if (change === 'none') assert.ok(edited.includes(parts[index] ?? ''), edited);
      }
      assert.match(edited, /^domains:\n {2}# List\n {2}- name: first\.example\n {4}price: (?:&p )?\$7\n/);
      assert.ok(edited.endsWith('\n# End\n'));
    }),
    { numRuns: 500 },
  );
});

function entryText(form: string, name: string): string {
  const texts: Record<string, string> = {
    block: `\n  # Above\n  - name: ${name} # note\n    price: $1 # price\n    # state: sold\n`,
    'own line': `  - # comment\n    description: >\n      Folded\n      text\n    name: ${name}\n`,
    braces: `  - { name: ${name}, price: "$1", state: sold } # note\n`,
    alias: `  - name: ${name}\n    price: *p   # the same\n    state: reserved\n`,
    literal: `  - name: ${name}\n    about: |+\n      # Text\n\n      more\n\n\n    price: '$1'\n`,
  };
  return texts[form] ?? '';
}

function edit(list: string, changes: Changes): string {
  const edited = whole(HEAD + list, changes);
  assert.ok(edited.startsWith(HEAD));
  return edited.slice(HEAD.length);
}

function whole(text: string, changes: Changes): string {
  return editCatalogue('names.yaml', text, changes).text;
}
