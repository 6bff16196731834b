import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findColumns, statusColumn } from './columns.ts';

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

test('the column of the status is known, unless it is imported', () => {
  const statusOf = (head: string, mapping?: string) =>
    statusColumn(head.split(','), findColumns(head.split(','), 'a.csv', mapping));
  assert.equal(statusOf(GODADDY), 4);
  assert.equal(statusOf(NAMECHEAP), 2);
  assert.equal(statusOf('name,STATUS'), 1);
  assert.equal(statusOf('name,Status', 'state=Status'), -1);
  assert.equal(statusOf('name,price'), -1);
});

test('--map names columns, also beside those that are known', () => {
  assert.deepEqual(find(GODADDY, 'price=estimated value'), { name: 0, price: 6 });
  assert.deepEqual(find('Net;My Names', ' name = My Names ,price=Net', ';'), { name: 1, price: 0 });
  const columns = ['Price, net', 'name'];
  assert.deepEqual(Object.fromEntries(findColumns(columns, 'a.csv', 'price=Price, net,name=name')), {
    name: 1,
    price: 0,
  });
});

test('wrong columns are reported with what to write', () => {
  for (const [head, mapping, message] of [
    [
      'Date,Domains',
      undefined,
      /a\.csv has no column name or Domain\. .* has: "Date", "Domains"\. .*: --map "name=Domain Name"$/,
    ],
    ['lap.app,$1', undefined, /a\.csv has no column name or Domain\. Its first line has to name the columns/],
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
  return Object.fromEntries(findColumns(head.split(delimiter), 'a.csv', mapping));
}
