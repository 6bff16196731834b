import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvCell, withoutInertMarks } from '#contract/csv-cell.ts';
import { findColumns } from '../../server/catalogue-edits/columns.ts';
import { editCatalogue } from '../../server/catalogue-edits/edit-catalogue.ts';
import { planImport } from '../../server/catalogue-edits/plan-import.ts';
import { isNoAmount } from '../../server/catalogue-edits/read-amount.ts';
import { type Catalogue, parseCatalogue } from '../../src/catalogue/load.ts';
import { DomainEntrySchema } from '../../src/catalogue/schema.ts';
import fc from '../../tests/support/fast-check.ts';
import { afternicFile, exportCsv } from './export-csv.ts';
import { readTable } from './read-table.ts';

const SETTINGS = { brokerUrl: 'https://b.example/{domain}' };

/** Texts that need care in CSV, spreadsheets and YAML. */
const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'=+-@＝"\',;\t\n\r #:|>&*!%{}[]\\\0\u200B\u0085\uFEFF', '\r\n', '\n\n', ': ', ' #'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join('').trim());
const text = awkward.filter((value) => DomainEntrySchema.shape.price.safeParse(value).success);
/** Not those that an import takes for no price, such as "-", or marked as a text, such as "'1". */
const price = text.filter((value) => !isNoAmount(value) && !/^'.*\w/s.test(value));

const entries = fc
  .array(
    fc.record(
      {
        price,
        description: text,
        hasBroker: fc.boolean(),
        state: fc.constantFrom('sold' as const, 'reserved' as const),
        about: text,
      },
      { requiredKeys: ['price', 'description'] },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => list.map((entry, index) => ({ name: `n${index}.example`, ...entry })));

test('what is exported and imported again is the same catalogue', () => {
  const other = JSON.stringify({
    settings: SETTINGS,
    domains: [{ name: 'other.example', price: '$1', description: 'Other.', hasBroker: true }],
  });
  fc.assert(
    fc.property(entries, (domains) => {
      const original = JSON.stringify({ settings: SETTINGS, domains });
      const catalogue = parseCatalogue('names.json', original);
      const csv = [...exportCsv(catalogue)].join('');
      // Into another catalogue in YAML, whose own entry is removed: the same entries.
      const yaml = `settings: ${JSON.stringify(SETTINGS)}\ndomains:\n  - ${other.slice(other.indexOf('[') + 1, -2)}\n`;
      const plan = planOf(csv, parseCatalogue('names.yaml', yaml));
      assert.deepEqual(plan.leftOut, []);
      const imported = editCatalogue('names.yaml', yaml, plan.changes).catalogue;
      assert.deepEqual(imported.domains.slice(1), catalogue.domains);
      // Into the same catalogue: no change.
      const again = planOf(csv, catalogue);
      assert.equal(again.unchanged.length, domains.length);
    }),
    { numRuns: 500 },
  );
});

test('a file for Afternic has its columns, dollars without a sign, and no name with another currency', () => {
  const catalogue = parseCatalogue(
    'names.yaml',
    `settings: { currencies: { $: USD } }
domains:
  - { name: plain.example, price: "$2,000", minimum: "$900.50" }
  - { name: none.example }
  - { name: words.example, price: ask }
  - { name: share.example, price: "4000 USD", minimum: 25% }
  - { name: low.example, price: "$100", minimum: "$5" }
  - { name: held.example, price: "$300", state: reserved }
  - { name: gone.example, price: "$300", state: sold }
  - { name: euro.example, price: "$300", minimum: "€200" }
  - { name: euros.example, price: "€300", minimum: "€200" }
  - { name: gone-euros.example, price: "€300", state: sold }
  - { name: least.example, price: "$100", minimum: "$20" }
  - { name: xn--mller-kva.example, price: "$7" }
`,
  );
  const { lines, leftOut, raised } = afternicFile(catalogue);
  const [head = '', ...rows] = lines.map((line) => line.trimEnd());
  assert.equal(
    head,
    'Domain,Buy Now Price,Floor Price,Min Offer,Lease to Own,Max Lease Period,Sale Lander,Show Buy Now Option,Show Lease to Own Option,Show Make Offer Option,Hidden',
  );
  assert.deepEqual(rows, [
    'plain.example,2000,,900.50,N,,Buy It Now,Y,N,Y,N',
    'none.example,0,,,N,,Request Price,N,N,Y,N',
    'words.example,0,,,N,,Request Price,N,N,Y,N',
    'share.example,4000,,1000,N,,Buy It Now,Y,N,Y,N',
    'low.example,100,,20,N,,Buy It Now,Y,N,Y,N',
    'held.example,300,,,N,,Buy It Now,Y,N,Y,Y',
    'least.example,100,,20,N,,Buy It Now,Y,N,Y,N',
    'xn--mller-kva.example,7,,,N,,Buy It Now,Y,N,Y,N',
  ]);
  assert.deepEqual(raised, ['low.example']);
  assert.deepEqual(leftOut, [
    'gone.example: is sold',
    'euro.example: its minimum €200 is in EUR',
    'euros.example: its price €300 is in EUR',
    'gone-euros.example: is sold',
  ]);
  const plan = planOf(lines.join(''), catalogue, 'USD');
  assert.deepEqual([...plan.changes.set.keys()], ['low.example']);
  assert.deepEqual(plan.changes.add, []);
});

test('a file for Afternic has dollars of the United States alone, also where “$” is another currency', () => {
  const catalogue = parseCatalogue(
    'names.yaml',
    `settings: { currencies: { $: CAD } }
domains: [{ name: one.example, price: "$500" }, { name: two.example, price: "500 USD" }]
`,
  );
  const { lines, leftOut } = afternicFile(catalogue);
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',', 2)),
    [['two.example', '500']],
  );
  assert.deepEqual(leftOut, ['one.example: its price $500 is in CAD']);
});

test('an export has the description in the first language', () => {
  const domains = [{ name: 'one.example', price: '$1', description: { en: 'One.', de: 'Eins.' } }];
  const settings = { ...SETTINGS, languages: ['de', 'en'] };
  const [, line] = exportCsv(parseCatalogue('names.json', JSON.stringify({ settings, domains })));
  assert.match(line ?? '', /^one\.example,\$1,Eins\.,/);
});

test('an export changes an edited catalogue back', () => {
  const original = parseCatalogue(
    'names.json',
    JSON.stringify({
      settings: SETTINGS,
      domains: [{ name: 'one.example', price: '=1+1', description: 'One.', hasBroker: true }],
    }),
  );
  const edited = JSON.stringify({
    settings: SETTINGS,
    domains: [{ name: 'one.example', price: '$2', description: 'Two.', hasBroker: false, state: 'sold' }],
  });
  const { changes } = planOf([...exportCsv(original)].join(''), parseCatalogue('names.json', edited));
  assert.deepEqual(editCatalogue('names.json', edited, changes).catalogue.domains, original.domains);
});

test('an apostrophe before a formula is written and taken back', () => {
  for (const [value, cell] of [
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ['-5; @x', "'-5; '@x"],
    ['\u200B\tx', "\u200B'\tx"],
    ["it's 1-2", "it's 1-2"],
  ] as const) {
    assert.equal(csvCell(value), cell);
    assert.equal(withoutInertMarks(cell), value);
  }
  fc.assert(
    fc.property(awkward, (value) => {
      const cell = csvCell(value);
      const inner = /^".*"$/s.test(cell) && /[",\r\n]/.test(cell.slice(1, -1)) ? cell.slice(1, -1) : cell;
      assert.equal(withoutInertMarks(inner.replaceAll('""', '"')), value);
    }),
    { numRuns: 2_000 },
  );
});

test('a cell of 16 times the length takes far less than 256 times as long', () => {
  for (const convert of [csvCell, withoutInertMarks]) {
    for (const unit of ['\t\u200B', '\t', ';\t', "'\t", "\n'"]) {
      const timeOf = (length: number) => {
        const text = unit.repeat(length / unit.length);
        const times = Array.from({ length: 5 }, () => {
          const started = performance.now();
          convert(text);
          return performance.now() - started;
        });
        return Math.min(...times);
      };
      const ratio = timeOf(16_000) / timeOf(1_000);
      assert.ok(ratio < 100, `${convert.name} ${JSON.stringify(unit)}: ${ratio}`);
    }
  }
});

function planOf(csv: string, catalogue: Catalogue, currency?: string) {
  const table = readTable(Buffer.from(csv), 'a.csv');
  return planImport(table, findColumns(table, 'a.csv'), { catalogue }, currency);
}

test('links to buy a name are columns only of a catalogue that has one, and are read back', () => {
  const entry = { price: '1', description: 'A', hasBroker: true };
  const catalogueWith = (more: object) =>
    parseCatalogue(
      'test.json',
      JSON.stringify({ settings: SETTINGS, domains: [{ name: 'a.example', ...entry, ...more }] }),
    );
  const [plain] = exportCsv(catalogueWith({}));
  assert.ok(plain?.endsWith('state,about\r\n'));
  const links = { buyNow: 'https://a.example/buy', instalments: 'https://a.example/pay' };
  const lines = [...exportCsv(catalogueWith(links))].join('');
  assert.ok(lines.includes('state,about,buyNow,instalments\r\n'), lines);
  assert.ok(lines.endsWith(`${links.buyNow},${links.instalments}\r\n`), lines);
  const others = [{ name: 'a.example' }, { name: 'b.example', ...links }];
  const [second] = exportCsv(parseCatalogue('test.json', JSON.stringify({ domains: others })));
  assert.ok(second?.endsWith('state,about,buyNow,instalments\r\n'), 'also of a later entry');
});
