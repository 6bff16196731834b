import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { parseCatalogue } from '../../src/catalogue/load.ts';
import { findColumns } from './columns.ts';
import { editCatalogue } from './edit-catalogue.ts';
import { exportCsv } from './export-csv.ts';
import { describeImport } from './import-file.ts';
import { planImport } from './plan-import.ts';
import { readTable } from './read-table.ts';

const ALL = ['price', 'description', 'hasBroker'];
const TEXT = `settings: { brokerUrl: "https://b.example/{domain}", hosts: [ www.names.example ] }
defaults: { price: ask, description: "{domain}.", hasBroker: false }
domains:
  - name: one.example
    price: $1
    state: sold
  - name: two.example
    about: Two.
`;
const CATALOGUE: Catalogue = parseCatalogue('names.yaml', TEXT);

test('new names are added, and known ones are changed in the imported fields alone', () => {
  const plan = planOf(`name,price,state,hasBroker,description
three.example,,reserved,YES,
four.example,,for sale,,
one.example,$2,for sale,,
TWO.example.,ask,,false,two.example.
`);
  assert.deepEqual(plan.changes.add, [
    { name: 'three.example', hasBroker: true, state: 'reserved' },
    { name: 'four.example', state: undefined },
  ]);
  assert.deepEqual(plan.changes.set, new Map([['one.example', { price: '$2', state: undefined }]]));
  assert.equal(plan.unchanged, 1, 'an empty cell leaves a field as it is, and defaults count as values');
  assert.deepEqual(plan.leftOut, []);
  assert.equal(
    describeImport(plan, false),
    `Added: 2
  three.example
  four.example
Changed: 1
  one.example: price "$1" → "$2", state "sold" → for sale
Unchanged: 1
Left out: 0`,
  );
});

test('bad rows are left out with line, name, column and reason', () => {
  const plan = planOf(`name,Price,hasBroker,state,about
a.example/path,,,,
a.example,,maybe,,
b.example,,,gone,
c.example,,,,${'x'.repeat(2001)}
d.example,$1,,,,x
e.example,"$1",x
f.example,,,,
F.EXAMPLE,,,,
names.example,,,,
,$5,,,
`);
  assert.deepEqual(plan.changes.add, [{ name: 'f.example' }]);
  const lines = describeImport(plan, false).split('\n').slice(5);
  for (const [index, message] of [
    /^ {2}line 2: column "name" "a\.example\/path" is not a domain name: write it like example\.com/,
    /^ {2}line 3 \(a\.example\): column "hasBroker" is not right: write true or false$/,
    /^ {2}line 4 \(b\.example\): column "state" is not right: write for sale, sold or reserved$/,
    /^ {2}line 5 \(c\.example\): column "about" is too long: keep it under 2,000 characters/,
    /^ {2}line 6: has 6 cells, and the first line has 5: check its quotes$/,
    /^ {2}line 7: has 3 cells, and the first line has 5: check its quotes$/,
    /^ {2}line 9 \(f\.example\): is the same name as in line 8$/,
    /^ {2}line 10 \(names\.example\): is a host of the site \(settings, field hosts\): remove it there/,
    /^ {2}line 11: column "name" is empty$/,
  ].entries()) {
    assert.match(lines[index] ?? '', message);
  }
  assert.equal(lines.length, 9);
});

test('a row whose status says that the name is going or gone is left out', () => {
  const gone = [
    ...[
      'Expired',
      'PARKED_EXPIRED',
      'Expired - redemption',
      'Pending Transfer',
      'pendingDelete',
      'serverHold',
    ],
    ...['Transferred Away', 'CANCELLED', 'Suspended', 'Grace period', 'Inactive', 'Deleted', 'Sold', 'Held'],
  ];
  const fine = [
    '',
    'Active',
    'ok',
    'Registered',
    'Locked',
    'clientTransferProhibited clientDeleteProhibited',
    ...['Unsold', 'Not sold', 'No dispute', 'Checked out', 'Withheld privacy'],
  ];
  const rows = [...gone, ...fine].map((status, index) => `n${index}.example,${status}`);
  const plan = planOf(`Domain,Status\n${rows.join('\n')}\n`);
  assert.deepEqual(
    plan.leftOut,
    gone.map(
      (status, index) =>
        `line ${index + 2} (n${index}.example): has the status "${status}": add it by hand if you do sell it`,
    ),
  );
  assert.equal(plan.changes.add.length, fine.length);
});

test('a price without a currency is imported with a warning', () => {
  const plan = planOf(`name,price,state
a.example,15000,
b.example,"15,000.00",
c.example,15k,
d.example,15000,gone
one.example,2000,
e.example,$15000,
f.example,15.000 €,
g.example,make an offer,
h.example,,
two.example,ask,
`);
  assert.equal(plan.changes.add.length, 7);
  const text = describeImport(plan, false);
  assert.match(
    text,
    /\nLeft out: 1\n {2}line 5 .*\nWarning, prices without a currency: 4\n {2}line 2 \(a\.example\): "15000"\n {2}line 3 \(b\.example\): "15,000\.00"\n {2}line 4 \(c\.example\): "15k"\n {2}line 6 \(one\.example\): "2000"$/,
  );
  assert.equal(
    describeImport(plan, true),
    'Added: 7\nChanged: 1\nUnchanged: 1\nLeft out: 1\nWarning, prices without a currency: 4',
  );
});

test('the column of a bad value has the name that the file gives it', () => {
  const { leftOut } = planOf('Domain,Broker?\na.example,maybe\n', ALL, 'hasBroker=Broker?');
  assert.deepEqual(leftOut, ['line 2 (a.example): column "Broker?" is not right: write true or false']);
});

test('a row without a mandatory field is left out where the defaults lack it, too', () => {
  const { changes, leftOut } = planOf('name,price\na.example,$1\nb.example,\n', ['description']);
  assert.deepEqual(changes.add, [{ name: 'a.example', price: '$1' }]);
  assert.deepEqual(leftOut, [
    'line 3 (b.example): lacks price, and the catalogue’s section defaults does, too: write it there',
  ]);
});

test('of 10,000 rows with 200 bad ones 9,800 are imported and 200 are listed', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    index % 50 === 7 ? `bad name ${index},$5` : `n${index}.example,"$${index},000"`,
  );
  const table = readTable(Buffer.from(`name,price\n${rows.join('\n')}\n`), 'a.csv');
  const map = findColumns(table.columns, 'a.csv');
  const target = { catalogue: CATALOGUE, defaults: new Set(ALL) };
  const plan = planImport(table, map, target);
  assert.equal(plan.changes.add.length, 9_800);
  assert.equal(plan.leftOut.length, 200);
  assert.match(plan.leftOut[1] ?? '', /^line 59: /);
  assert.equal(
    describeImport(plan, false).match(/^ {2}line \d+: column "name" "bad name \d+" is not/gm)?.length,
    200,
  );
  const { catalogue, text } = editCatalogue('names.yaml', TEXT, plan.changes);
  assert.equal(catalogue.domains.length, 9_802);
  assert.ok(text.startsWith(TEXT));
  const removed = new Set(catalogue.domains.slice(5_000).map(({ name }) => name));
  const fewer = editCatalogue('names.yaml', text, { remove: removed });
  assert.equal(fewer.catalogue.domains.length, 5_000);
});

test('a description for each language is exported in the first, and not replaced by one text', () => {
  const text = `settings: { brokerUrl: "https://b.example/{domain}", languages: [de, en] }
defaults: { price: ask, hasBroker: false }
domains:
  - { name: one.example, description: { en: One., de: Eins. } }
`;
  const catalogue = parseCatalogue('names.yaml', text);
  const csv = [...exportCsv(catalogue)].join('');
  assert.match(csv, /one\.example,ask,Eins\.,/);
  const plan = (csv: string) => {
    const table = readTable(Buffer.from(csv), 'a.csv');
    return planImport(table, findColumns(table.columns, 'a.csv'), { catalogue, defaults: new Set(ALL) });
  };
  assert.equal(plan(csv.slice(1)).unchanged, 1);
  const { leftOut, changed } = plan('name,description\none.example,Uno.\n');
  assert.equal(changed.length, 0);
  assert.match(
    leftOut[0] ?? '',
    /^line 2 \(one\.example\): has a description for each language in the catalogue: change it there/,
  );
});

function planOf(csv: string, defaults = ALL, mapping?: string) {
  const table = readTable(Buffer.from(csv), 'a.csv');
  const map = findColumns(table.columns, 'a.csv', mapping);
  return planImport(table, map, { catalogue: CATALOGUE, defaults: new Set(defaults) });
}
