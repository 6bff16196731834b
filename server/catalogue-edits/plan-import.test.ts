import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportCsv } from '../../commands/catalogue/export-csv.ts';
import { describeImport } from '../../commands/catalogue/import-file.ts';
import { readTable } from '../../commands/catalogue/read-table.ts';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { parseCatalogue } from '../../src/catalogue/load.ts';
import { findColumns } from './columns.ts';
import { editCatalogue } from './edit-catalogue.ts';
import { describeNote, type ImportPlan, planImport } from './plan-import.ts';

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
  assert.equal(
    plan.unchanged.length,
    1,
    'an empty cell leaves a field as it is, and defaults count as values',
  );
  assert.deepEqual(plan.leftOut, []);
  assert.equal(
    plan.describe(false),
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
e.example,"$1",perhaps
f.example,,,,
F.EXAMPLE,,,,
names.example,,,,
,$5,,,
`);
  assert.deepEqual(plan.changes.add, [{ name: 'f.example' }]);
  const lines = plan.describe(false).split('\n').slice(5);
  for (const [index, message] of [
    /^ {2}line 2: column "name" "a\.example\/path" is not a domain name: write it like example\.com/,
    /^ {2}line 3 \(a\.example\): column "hasBroker" is not right: write true or false$/,
    /^ {2}line 4 \(b\.example\): column "state" is not right: write for sale, sold or reserved$/,
    /^ {2}line 5 \(c\.example\): column "about" is too long: keep it under 2,000 characters/,
    /^ {2}line 6: has 6 cells, and the table has 5 columns: check its quotes$/,
    /^ {2}line 7 \(e\.example\): column "hasBroker" is not right: write true or false$/,
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
        `line ${index + 2} (n${index}.example): column "Status" is "${status}": add it by hand if you do sell it`,
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
  const text = plan.describe(false);
  assert.match(
    text,
    /\nLeft out: 1\n {2}line 5 .*\nWarning, prices without a currency: 4\n {2}line 2 \(a\.example\): "15000"\n {2}line 3 \(b\.example\): "15,000\.00"\n {2}line 4 \(c\.example\): "15k"\n {2}line 6 \(one\.example\): "2000"$/,
  );
  assert.equal(
    plan.describe(true),
    'Added: 7\nChanged: 1\nUnchanged: 1\nLeft out: 1\nWarning, prices without a currency: 4',
  );
});

test('what an export marks as hidden or sold is left out, with the column that says so', () => {
  for (const [column, cells] of [
    ['Hidden', ['Y', 'yes', 'true', '1', 'ja']],
    ['For Sale', ['N', 'no', '0', 'nein', 'verkauft']],
    ['For Sale Page', ['Off']],
    ['Zu verkaufen', ['nein', 'falsch', 'aus']],
    ['Status', ['verkauft', 'Sold', 'versteckt', 'gekündigt', 'Not for sale']],
    ['Listing Status', ['Removed', 'Paused', 'Not listed']],
    ['Sold Date', ['2026-01-31']],
  ] as const) {
    const rows = cells.map((cell, index) => `n${index}.example,$5,${cell}\n`).join('');
    const { changes, leftOut } = planOf(`Domain,Price,${column}\n${rows}`);
    assert.deepEqual(changes.add, []);
    assert.deepEqual(
      leftOut,
      cells.map(
        (cell, index) =>
          `line ${index + 2} (n${index}.example): column "${column}" is "${cell}": add it by hand if you do sell it`,
      ),
    );
  }
});

test('a name that is reserved elsewhere is imported as reserved, with the reason', () => {
  const plan = planOf(
    'name,Status,price\na.example,reserviert,\none.example,reserved,$2\ntwo.example,Under offer,\n',
  );
  assert.deepEqual(plan.changes.add, [{ name: 'a.example', state: 'reserved' }]);
  assert.deepEqual(
    plan.changes.set,
    new Map([
      ['one.example', { price: '$2' }],
      ['two.example', { state: 'reserved' }],
    ]),
    'a sold name stays sold',
  );
  const text = plan.describe(false);
  assert.match(text, /^Added: 1\n {2}a\.example \(reserved: column "Status" is "reserviert"\)\n/);
  assert.match(
    text,
    / {2}two\.example: state for sale → "reserved" \(reserved: column "Status" is "Under offer"\)\n/,
  );
});

test('a row’s own state counts more than that the name is reserved elsewhere', () => {
  const { changes } = planOf('name,state,Status\na.example,sold,reserved\ntwo.example,sold,reserved\n');
  assert.deepEqual(changes.add, [{ name: 'a.example', state: 'sold' }]);
  assert.deepEqual(changes.set, new Map([['two.example', { state: 'sold' }]]));
});

test('a name that is for sale here and sold elsewhere is left out with the command that ends its offers', () => {
  const plan = planOf('name,Sold,price\none.example,yes,$3\ntwo.example,yes,$3\n');
  assert.deepEqual(plan.changes.set, new Map());
  assert.deepEqual(plan.leftOut, [
    'line 2 (one.example): column "Sold" is "yes"',
    'line 3 (two.example): column "Sold" is "yes", and the catalogue has it for sale. To end that: npm run catalogue -- sold two.example',
  ]);
});

test('the worst of several states decides, of one row or of several with one name', () => {
  const { changes, leftOut } = planOf(
    'Domain,Status,Hidden\na.example,reserved,Y\nb.example,Sold,\nb.example,reserved,\nc.example,reserved,\nc.example,Sold,\n',
  );
  assert.deepEqual(changes.add, []);
  assert.deepEqual(
    leftOut.filter((line) => line.includes('is "')),
    [
      'line 2 (a.example): column "Hidden" is "Y": add it by hand if you do sell it',
      'line 3 (b.example): column "Status" is "Sold": add it by hand if you do sell it',
      'line 5 (c.example): column "Status" is "Sold" in line 6: add it by hand if you do sell it',
    ],
  );
});

test('one row that marks a name as sold counts for its other rows', () => {
  const { changes, leftOut } = planOf(
    'Domain,Status\na.example,Active\nb.example,Active\nA.example,Sold\na.example,Sold\n',
  );
  assert.deepEqual(changes.add, [{ name: 'b.example' }]);
  assert.deepEqual(leftOut, [
    'line 2 (a.example): column "Status" is "Sold" in line 4: add it by hand if you do sell it',
    'line 4 (a.example): is the same name as in line 2',
    'line 5 (a.example): is the same name as in line 2',
  ]);
});

test('a change is shown with what was there before, of a field that was empty, too', () => {
  const { changed } = planOf('name,about,hasBroker,state\ntwo.example,2.,yes,\none.example,One.,,for sale\n');
  assert.deepEqual(changed, [
    'two.example: hasBroker false → true, about "Two." → "2."',
    'one.example: state "sold" → for sale, about none → "One."',
  ]);
});

test('a name that is gone elsewhere, and for sale in the catalogue, is to be reserved by hand', () => {
  const { changes, leftOut } = planOf('name,Hidden\ntwo.example,yes\none.example,yes\n');
  assert.deepEqual([changes.add, changes.set], [[], new Map()]);
  assert.deepEqual(leftOut, [
    'line 2 (two.example): column "Hidden" is "yes", and the catalogue has it for sale. To end that: npm run catalogue -- reserve two.example',
    'line 3 (one.example): column "Hidden" is "yes"',
  ]);
});

test('a row that is left out for another cell hides its name all the same, and is named', () => {
  const { added, leftOut } = planOf('name,hasBroker,Hidden\na.example,no,N\na.example,maybe,Y\n');
  assert.deepEqual(added, []);
  assert.deepEqual(leftOut, [
    'line 2 (a.example): column "Hidden" is "Y" in line 3: add it by hand if you do sell it',
    'line 3 (a.example): is the same name as in line 2',
  ]);
});

test('a state in place of a price is no price', () => {
  const { changes, leftOut } = planOf(
    'Domain;Preis\na.example;verkauft\nb.example;unverkäuflich\nc.example;reserviert\nd.example;make an offer\ne.example;$500 in escrow\n',
  );
  assert.deepEqual(changes.add, [
    { name: 'c.example', state: 'reserved' },
    { name: 'd.example', price: 'make an offer' },
    { name: 'e.example', price: '$500 in escrow' },
  ]);
  assert.equal(leftOut.length, 2);
});

test('the column state understands words of both languages, and active puts no name back on sale', () => {
  const { changes, leftOut } = planOf(
    'name,State\na.example,verkauft\nb.example,Reserviert\nc.example,zu verkaufen\none.example,active\nd.example,abgelaufen\n',
  );
  assert.deepEqual(changes.add, [
    { name: 'a.example', state: 'sold' },
    { name: 'b.example', state: 'reserved' },
    { name: 'c.example', state: undefined },
  ]);
  assert.deepEqual(changes.set, new Map());
  assert.deepEqual(leftOut, [
    'line 6 (d.example): column "State" is "abgelaufen": add it by hand if you do sell it',
  ]);
});

test('a state that cannot be read is a warning', () => {
  const plan = planOf(
    'name,Status,For Sale,Sold\na.example,Tier 2,yes,\nb.example,Active,,\nc.example,,perhaps,\nd.example,pending renewal,yes,no\n',
  );
  assert.equal(plan.changes.add.length, 4);
  assert.deepEqual(plan.warnings.state, [
    'line 2 (a.example): column "Status" is "Tier 2"',
    'line 3 (b.example): column "For Sale" is ""',
    'line 4 (c.example): column "For Sale" is "perhaps"',
  ]);
  assert.match(plan.describe(false), /\nWarning, states that cannot be read, .*: 3\n {2}line 2 /);
  assert.deepEqual(
    planOf('name,For Sale\na.example,\n').warnings.state,
    [],
    'a column that is empty in all rows',
  );
});

test('what exports write for no price leaves price and minimum as they are', () => {
  const plan = planOf(
    'Domain,Buy Now Price,Min Offer\na.example,$0.00,0\nb.example,0,$500\none.example,"0,00 €",0.00\n',
  );
  assert.deepEqual(plan.changes.add, [{ name: 'a.example' }, { name: 'b.example', minimum: '$500' }]);
  assert.equal(plan.unchanged.length, 1);
  assert.deepEqual(plan.leftOut, []);
  assert.equal(planOf('Domain,Price\na.example,$0.00\n').changes.add[0]?.price, undefined);
});

test('amounts get the currency of their column, of their row or of --currency', () => {
  const { changes, leftOut, warnings } = planOf(
    `Domain,Price,Min Offer,Currency
a.example,"2.500,00",500,EUR
b.example,1'500,,CHF
c.example,"USD 1,200",100,
d.example,900,90,
e.example,$500,,CAD
f.example,700,70,Credits
g.example,make an offer,,EUR
`,
    undefined,
    'GBP',
  );
  assert.deepEqual(changes.add, [
    { name: 'a.example', price: '€2,500', minimum: '€500' },
    { name: 'b.example', price: 'CHF 1’500' },
    { name: 'c.example', price: 'USD 1,200', minimum: '$100' },
    { name: 'd.example', price: '£900', minimum: '£90' },
    { name: 'e.example', price: '$500' },
    { name: 'f.example', price: '700' },
    { name: 'g.example', price: 'make an offer' },
  ]);
  assert.deepEqual(leftOut, []);
  assert.deepEqual(warnings.currency, ['line 7 (f.example): "700"']);
  assert.deepEqual(warnings.minimum, ['line 7 (f.example): "70"']);
  assert.deepEqual(warnings.otherCurrency, ['line 6 (e.example): "$500", and not CAD']);
  assert.deepEqual(planOf('Domain,Price (USD)\na.example,900\n').changes.add, [
    { name: 'a.example', price: '$900' },
  ]);
  // The column of an amount knows better than one for the whole row.
  const both = planOf('Domain,Price (USD),Min Offer,Currency\na.example,900,100,EUR\n', undefined, 'GBP');
  assert.deepEqual(both.changes.add, [{ name: 'a.example', price: '$900', minimum: '€100' }]);
  assert.deepEqual(both.warnings.otherCurrency, ['line 2 (a.example): "$900", and not EUR']);
});

test('a price that a spreadsheet has spoiled is imported with a warning, and a minimum is left out', () => {
  const spoiled = [
    '1E+04',
    '2.5E+03',
    'Jan-00',
    '-500',
    '(500)',
    'NaN',
    '#####',
    '#DIV/0',
    'Err:502',
    'inf',
    '12/31/2026',
  ];
  const fine = ['$900', '"5.000,00"', 'make an offer', 'pre-sale', '', '#N/A', '#NV', '-'];
  const rows = [...spoiled, ...fine].map((price, index) => `n${index}.example,${price}\n`);
  const plan = planOf(`Domain,Price (USD)\n${rows.join('')}`);
  assert.deepEqual(plan.leftOut, []);
  const lines = spoiled.map((price, index) => `line ${index + 2} (n${index}.example): "${price}"`);
  assert.deepEqual(plan.warnings.amount, lines);
  assert.match(
    plan.describe(false),
    /\nWarning, prices that cannot be read as an amount, so that these names come last .* minimum as a share: 11\n {2}line 2 /,
  );
  const minimums = spoiled.map((minimum, index) => `n${index}.example,${minimum}\n`).join('');
  const { leftOut } = planOf(`Domain,Min Offer (USD)\n${minimums}`);
  assert.equal(leftOut.length, spoiled.length);
  for (const line of leftOut)
    assert.match(line, /column "Min Offer \(USD\)" ".*" is not a minimum: write an amount/);
});

test('an unchanged price that cannot be read causes no warning', () => {
  const catalogue = parseCatalogue('names.yaml', TEXT.replace('$1', '"$1E+04"'));
  const table = readTable(Buffer.from('name,price\none.example,$1E+04\n'), 'a.csv');
  const { unchanged, warnings } = shown(planImport(table, findColumns(table, 'a.csv'), { catalogue }));
  assert.deepEqual([unchanged.length, warnings.amount], [1, []]);
});

test('the apostrophe by which spreadsheets mark a text is left out of all cells but texts', () => {
  const { changes } = planOf(
    "Domain,Price,Description,About,Status\n'a.example,'$5,'tis A.,'90s style.,'reserved\n",
  );
  assert.deepEqual(changes.add, [
    { name: 'a.example', price: '$5', description: "'tis A.", about: "'90s style.", state: 'reserved' },
  ]);
});

test('a cell that is read and has more than 500 characters leaves its row out with the line', () => {
  const [long, longest] = ['x'.repeat(501), 'x'.repeat(500)];
  for (const column of [
    'price',
    'minimum',
    'hasBroker',
    'state',
    'buyNow',
    'instalments',
    'Status',
    'Hidden',
    'Currency',
  ]) {
    const { leftOut } = planOf(`name,${column}\na.example,https:${long.slice(6)}\n`);
    assert.deepEqual(leftOut, [`line 2: column "${column}" is too long: keep it under 501 characters`]);
  }
  assert.match(planOf(`name\n${long}\n`).leftOut.join(), /^line 2: column "name" is too long/);
  const { changes, leftOut } = planOf(
    `name,price,description,about,Notes\na.example,${longest},${long},${long},${long}\n`,
  );
  assert.deepEqual(leftOut, []);
  assert.deepEqual(changes.add, [{ name: 'a.example', price: longest, description: long, about: long }]);
});

test('the time to read a cell does not grow with the square of its length', () => {
  const long = 60_000;
  const begun = process.cpuUsage();
  for (const cell of [
    '<a'.repeat(long),
    `1${' '.repeat(long)}x`,
    '&a'.repeat(long),
    '-'.repeat(long),
    `="${'"'.repeat(long)}`,
  ]) {
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    for (const column of [
      'price',
      'description',
      'minimum',
      'Hidden',
      'Status',
      'Currency',
      'buyNow',
      'Notes',
    ])
      planOf(`name,${column}\na.example,${quoted}\n`);
  }
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 2_000_000, `${user / 1_000_000} s of processor time`);
});

test('{domain} in an imported URL becomes the name', () => {
  const { changes } = planOf(
    'name,buyNow,instalments\na.example,https://b.example/{domain},https://b.example/{domain}/6\n',
  );
  const urls = { buyNow: 'https://b.example/a.example', instalments: 'https://b.example/a.example/6' };
  assert.deepEqual(changes.add, [{ name: 'a.example', ...urls }]);
});

test('a minimum in another currency than its row has is a warning', () => {
  const { warnings } = planOf('Domain,Price,Min Offer,Currency\na.example,900,$100,CAD\n');
  assert.deepEqual(warnings.otherCurrency, ['line 2 (a.example): "$100", and not CAD']);
});

test('every host of the site is left out', () => {
  const catalogue = parseCatalogue(
    'names.yaml',
    TEXT.replace('www.names.example', 'a.example, www.b.example'),
  );
  const table = readTable(Buffer.from('name\na.example\nb.example\nc.example\n'), 'a.csv');
  const { changes, leftOut } = shown(planImport(table, findColumns(table, 'a.csv'), { catalogue }));
  assert.deepEqual(changes.add, [{ name: 'c.example' }]);
  assert.deepEqual(
    leftOut.map((line) => line.slice(0, 29)),
    ['line 2 (a.example): is a host', 'line 3 (b.example): is a host'],
  );
});

test('HTML and the errors of spreadsheets are imported with a warning', () => {
  const { changes, warnings } = planOf(
    'name,price,description\na.example,<b>1</b>,\nb.example,5&nbsp;€,\nc.example,#REF!,\nd.example,$5,<p>New.\ne.example,$5 < 6,A & B; C\n',
  );
  assert.equal(changes.add.length, 5);
  assert.deepEqual(warnings.markup, [
    'line 2 (a.example): column "price" is "<b>1</b>"',
    'line 3 (b.example): column "price" is "5&nbsp;€"',
    'line 4 (c.example): column "price" is "#REF!"',
    'line 5 (d.example): column "description" is "<p>New."',
  ]);
});

test('empty surplus cells are ignored, and missing ones are empty', () => {
  const plan = planOf('Domain,List Price,Registrar\na.example,$900,Acme,,\nb.example,$800\nc.example\n');
  assert.deepEqual(plan.changes.add, [
    { name: 'a.example', price: '$900' },
    { name: 'b.example', price: '$800' },
    { name: 'c.example' },
  ]);
  assert.deepEqual(plan.leftOut, []);
});

test('every name is listed that is added, changed or left out, one in punycode with its readable form', () => {
  const names = Array.from({ length: 50 }, (_, index) => `n${index}.example`);
  const plan = planOf(
    `name,Hidden\n${names.join('\n')}\nbücher.example\nmüller.example,Y\nxn--mller-kva.example\n`,
  );
  const text = plan.describe(false);
  for (const name of names) assert.ok(text.includes(`\n  ${name}\n`), name);
  assert.match(text, /\n {2}xn--bcher-kva\.example # bücher\.example\n/);
  assert.match(text, /\n {2}line 53 \(xn--mller-kva\.example # müller\.example\): column "Hidden" is "Y"/);
  const { text: written } = editCatalogue('names.yaml', TEXT, plan.changes);
  assert.ok(written.includes('\n  - name: xn--bcher-kva.example # bücher.example\n'));
});

test('an amount that the catalogue writes in another way, or as a share, is no change', () => {
  const text = `settings: { currencies: { $: USD } }
domains:
  - { name: one.example, price: "4500 USD", minimum: 20% }
  - { name: two.example, price: ask }
`;
  const catalogue = parseCatalogue('names.yaml', text);
  const table = readTable(
    Buffer.from('name,price,minimum\none.example,"$4,500.00",$900\ntwo.example,$5,\n'),
    'a.csv',
  );
  const plan = planImport(table, findColumns(table, 'a.csv'), { catalogue });
  assert.deepEqual(plan.unchanged, ['one.example']);
  // A share of the former price is another amount of the new one.
  const dearer = readTable(Buffer.from('name,price,minimum\none.example,$9000,$900\n'), 'a.csv');
  const { changes } = planImport(dearer, findColumns(dearer, 'a.csv'), { catalogue });
  assert.deepEqual(changes.set, new Map([['one.example', { price: '$9000', minimum: '$900' }]]));
  assert.deepEqual(plan.changes.set, new Map([['two.example', { price: '$5' }]]));
});

test('the preview has the price and minimum of each new name', () => {
  const { added } = planOf('name,price,minimum\na.example,"$6,900","$1,725"\nb.example,,$5\nc.example,,\n');
  assert.deepEqual(added, ['a.example  $6,900, minimum $1,725', 'b.example  minimum $5', 'c.example']);
});

test('an amount that is in the catalogue already causes no warning', () => {
  const catalogue = parseCatalogue('names.yaml', TEXT.replace('$1', '"900"'));
  const table = readTable(Buffer.from('name,price\none.example,900\n'), 'a.csv');
  const plan = planImport(table, findColumns(table, 'a.csv'), { catalogue });
  assert.equal(plan.unchanged.length, 1);
  assert.deepEqual(plan.warnings.currency, []);
});

test('the column of a bad value has the name that the file gives it', () => {
  const { leftOut } = planOf('Domain,Broker?\na.example,maybe\n', 'hasBroker=Broker?');
  assert.deepEqual(leftOut, ['line 2 (a.example): column "Broker?" is not right: write true or false']);
});

test('a name alone is a whole row', () => {
  const { changes, leftOut } = planOf('name,price\na.example,$1\nb.example,\n');
  assert.deepEqual(changes.add, [{ name: 'a.example', price: '$1' }, { name: 'b.example' }]);
  assert.deepEqual(leftOut, []);
});

test('of 10,000 rows with 200 bad ones 9,800 are imported and 200 are listed', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    index % 50 === 7 ? `bad name ${index},$5` : `n${index}.example,"$${index},000"`,
  );
  const table = readTable(Buffer.from(`name,price\n${rows.join('\n')}\n`), 'a.csv');
  const map = findColumns(table, 'a.csv');
  const target = { catalogue: CATALOGUE };
  const plan = planImport(table, map, target);
  assert.equal(plan.changes.add.length, 9_800);
  assert.equal(plan.leftOut.length, 200);
  assert.equal(plan.leftOut[1]?.line, 59);
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
    return shown(planImport(table, findColumns(table, 'a.csv'), { catalogue }));
  };
  assert.equal(plan(csv.slice(1)).unchanged.length, 1);
  const { leftOut, changed } = plan('name,description\none.example,Uno.\n');
  assert.equal(changed.length, 0);
  assert.match(
    leftOut[0] ?? '',
    /^line 2 \(one\.example\): has a description for each language in the catalogue: change it there/,
  );
});

function planOf(csv: string, mapping?: string, currency?: string) {
  const table = readTable(Buffer.from(csv), 'a.csv', mapping);
  const map = findColumns(table, 'a.csv', mapping);
  return shown(planImport(table, map, { catalogue: CATALOGUE }, currency));
}

/** With the notes as they are printed. */
function shown(whole: ImportPlan) {
  const { warnings, leftOut, ...plan } = whole;
  const { state, currency, amount, minimum, otherCurrency, markup } = warnings;
  const described = { state, currency, amount, minimum, otherCurrency, markup };
  return {
    ...plan,
    describe: (quiet: boolean) => describeImport(whole, quiet),
    leftOut: leftOut.map(describeNote),
    warnings: Object.fromEntries(
      Object.entries(described).map(([about, notes]) => [about, notes.map(describeNote)]),
    ) as { [About in keyof typeof described]: string[] },
  };
}
