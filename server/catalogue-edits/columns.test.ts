import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOfAmounts, currencyColumn, findColumns, splitCurrency } from './columns.ts';

const GODADDY =
  'Domain Name,International Domain Name,TLD,Create Date,Status,Renewal Price,Estimated Value,ListingStatus';
const NAMECHEAP = 'Domain Name,Domain privacy protection status,Domain status at NC,Domain auto-renew status';
const DYNADOT = 'Domain,Renewal Status,Punycode,Registration Date,Registration Date,Folder,List Price';

test('columns are found by the names of the fields and by usual ones, in any case and order', () => {
  for (const [head, columns] of [
    [GODADDY, { name: 0 }],
    [NAMECHEAP.toUpperCase(), { name: 0 }],
    [DYNADOT, { name: 0, price: 6 }],
    ['State,Name,Other,about', { name: 1, state: 0, about: 3 }],
    ['asking_price,DomainName,Has Broker,buy now', { name: 1, price: 0, hasBroker: 2, buyNow: 3 }],
    ['Domain,name,List Price,Price', { name: 1, price: 3 }],
  ] as const) {
    assert.deepEqual(find(head), columns, head);
  }
});

test('prices and minimums of marketplaces are found, in English and German', () => {
  for (const [head, columns] of [
    ['Domain,TLD,Buy Now Price,Floor Price,Min Offer,Show Buy Now Option', { name: 0, price: 2, minimum: 4 }],
    ['Domain Name,Selling Option,Price,Minimum Price,Currency', { name: 0, price: 2, minimum: 3 }],
    ['Domain,Offer Minimum,Buy Now Price,For Sale Page', { name: 0, price: 2, minimum: 1 }],
    ['Domain,BIN,Floor Price', { name: 0, price: 1, minimum: 2 }],
    [
      'Domain;Sofort-Kaufen-Preis;Mindestgebot;Beschreibung',
      { name: 0, price: 1, minimum: 2, description: 3 },
    ],
    ['Domäne;Preis in EUR;Mindestpreis (EUR)', { name: 0, price: 1, minimum: 2 }],
    ['DOMAENE;BIN €;Renewal Price', { name: 0, price: 1 }],
  ] as const) {
    assert.deepEqual(find(head, undefined, head.includes(';') ? ';' : ','), columns, head);
  }
});

test('columns are prices and minimums by the words of their names, and never what the owner paid, pays or thinks', () => {
  for (const column of [
    ...['For Sale Price', 'Sale Price', 'Sales Price', 'Retail Price', 'Current Price', 'Ask', 'Kaufpreis'],
    ...['Full Asking Price', 'retail_price_usd', 'Aktueller Preis', 'Angebotspreis'],
  ])
    assert.deepEqual(find(`Domain,${column}`), { name: 0, price: 1 }, column);
  for (const column of [
    'Minimum Offer Price',
    'Lowest price',
    'lowestBid',
    'Niedrigster Preis',
    'Min. Price',
  ])
    assert.deepEqual(find(`Domain,${column}`), { name: 0, minimum: 1 }, column);
  for (const column of [
    ...['Purchase Price', 'Price Paid', 'Cost', 'Cost Price', 'Acquisition Price', 'Renewal Price'],
    ...['Registration Price', 'Transfer Price', 'Wholesale Price', 'Estimated Price', 'Price Estimate'],
    ...['Buy Price', 'BuyPrice', 'Buying Price', 'Bought For'],
    ...['Appraisal', 'Einkaufspreis', 'Verlängerungspreis', 'Gezahlter Preis', 'Schätzpreis'],
    ...[
      'Sold Price',
      'Monthly Price',
      'Lease Price',
      'Max Price',
      'Price Updated',
      'Previous Price',
      'Value',
    ],
  ])
    assert.deepEqual(find(`Domain,${column}`), { name: 0 }, column);
  assert.deepEqual(find('Domain,Buy Price,Sell Price'), { name: 0, price: 2 });
  // Beside a price of sale, what the owner paid.
  const bought = { columns: ['Domain', 'Kaufpreis', 'Verkaufspreis'], rows: [row('a.example', '900 €', '')] };
  assert.equal(findColumns({ ...bought, headLine: 1 }, 'a.csv').get('price'), 2);
  assert.deepEqual(columnsOfAmounts(bought), []);
  // A usual name comes first, and one with nothing in it last.
  assert.deepEqual(find('Domain,Retail Price,List Price'), { name: 0, price: 2 });
  const rows = [row('a.example', '$5', '')];
  const columns = ['Domain', 'Retail Price', 'List Price'];
  assert.equal(findColumns({ columns, rows, headLine: 1 }, 'a.csv').get('price'), 1);
});

test('columns with amounts are known by their cells, but those of what the owner paid', () => {
  const amounts = (column: string, ...cells: string[]) => {
    const rows = cells.map((cell, index) => ({ line: index + 2, cells: ['a.example', cell] }));
    return columnsOfAmounts({ columns: ['Domain', column], rows }).length === 1;
  };
  assert.equal(amounts('Target', '$1,500', '', '2.000 €'), true);
  assert.equal(amounts('My Value', '1500', '0'), true);
  assert.equal(amounts('Views', '1500', '3'), false);
  assert.equal(amounts('Target', '$1,500', 'soon'), false);
  assert.equal(amounts('Target', '', '0'), false);
  for (const column of ['Purchase Price', 'Buy Price', 'Bought For', 'Annual Fee', 'GoDaddy Value'])
    assert.equal(amounts(column, '$1,500'), false, column);
  for (const column of ['Einkaufspreis', 'Ankaufspreis', 'Gekauft für', 'Gebühr'])
    assert.equal(amounts(column, '1.500 €'), false, column);
});

test('a column Buy Now has links or prices, as its cells say', () => {
  const mapOf = (cell: string) => {
    const rows = ['', cell].map((text, index) => ({ line: index + 2, cells: ['a.example', text] }));
    return Object.fromEntries(findColumns({ columns: ['name', 'Buy Now'], rows, headLine: 1 }, 'a.csv'));
  };
  assert.deepEqual(mapOf('https://a.example/buy'), { name: 0, buyNow: 1 });
  assert.deepEqual(mapOf('$500'), { name: 0, price: 1 });
  assert.deepEqual(mapOf(''), { name: 0, buyNow: 1 });
});

test('a column of yes and no is no price, and an empty one gives way to another', () => {
  const mapOf = (...cells: string[]) => {
    const columns = ['name', 'Price', 'BIN', 'Buy Now Price'];
    const rows = [{ line: 2, cells: ['a.example', ...cells] }];
    return Object.fromEntries(findColumns({ columns, rows, headLine: 1 }, 'a.csv'));
  };
  assert.deepEqual(mapOf('', 'Yes', '$500'), { name: 0, price: 3 });
  assert.deepEqual(mapOf('', '1', ''), { name: 0, price: 2 });
  assert.deepEqual(mapOf('', '', ''), { name: 0, price: 1 });
});

test('the currency is known from a column of its own, or from the name of a column', () => {
  assert.equal(currencyColumn(['Domain', 'Price', 'Currency']), 2);
  assert.equal(currencyColumn(['Domain', 'Preis', 'Waehrung']), 2);
  assert.equal(currencyColumn(['Domain', 'Price']), -1);
  for (const [column, name, currency] of [
    ['Price (USD)', 'Price', 'USD'],
    ['Preis in EUR', 'Preis', 'EUR'],
    ['BIN [€]', 'BIN', 'EUR'],
    ['price_usd', 'price', 'USD'],
    ['price_all_in', 'price_all_in', undefined],
    ['BIN', 'BIN', undefined],
    ['Estimated VAT', 'Estimated VAT', undefined],
  ] as const) {
    assert.deepEqual(splitCurrency(column), currency ? { name, currency } : { name }, column);
  }
});

test('--map names columns, also beside those that are known', () => {
  assert.deepEqual(find(GODADDY, 'price=estimated value'), { name: 0, price: 6 });
  assert.deepEqual(find('Net;My Names', ' name = My Names ,price=Net', ';'), { name: 1, price: 0 });
  const columns = ['Price, net', 'name'];
  const map = findColumns({ columns, rows: [], headLine: 1 }, 'a.csv', 'price=Price, net,name=name');
  assert.deepEqual(Object.fromEntries(map), { name: 1, price: 0 });
});

test('wrong columns are reported with what to write', () => {
  for (const [head, mapping, message] of [
    [
      'Date,Domains',
      undefined,
      /a\.csv has no column name or Domain\. .* seems to be line 4, which has: "Date", "Domains"\. .*: --map "name=Domain Name"$/,
    ],
    [
      'lap.app,$1',
      undefined,
      /a\.csv has no column name or Domain\. The line above the names has to name the columns/,
    ],
    [
      'name,price',
      'price=List Price',
      /--map has "price=List Price": write FIELD=COLUMN .* The fields are name, price, .* of a\.csv are "name", "price"\.$/,
    ],
    ['name,a', 'colour=a', /--map has "colour=a": write FIELD=COLUMN/],
    ['name,a', 'price', /--map has "price": write FIELD=COLUMN/],
  ] as const) {
    assert.throws(() => find(head, mapping), message, `${head} ${mapping}`);
  }
});

function find(head: string, mapping?: string, delimiter = ',') {
  const table = { columns: head.split(delimiter), rows: [], headLine: 4 };
  return Object.fromEntries(findColumns(table, 'a.csv', mapping));
}

function row(...cells: string[]) {
  return { line: 2, cells };
}
