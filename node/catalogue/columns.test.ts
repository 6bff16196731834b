import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findColumns, statusColumn } from './columns.ts';
import { readTable } from './read-table.ts';

const EXPORTS = {
  GoDaddy:
    'Domain Name,International Domain Name,TLD,Create Date,Ownership Date,Expiration Date,Lock,Auto-renew,Status,Renewal Price,Nameservers,Estimated Value,ListingStatus',
  Namecheap:
    'Domain Name,Domain privacy protection status,Domain status at NC,Domain auto-renew status,Domain expiration date',
  Dynadot:
    'Domain,Renewal Status,Punycode,Expiration Date,Name Server,Locked,Privacy,Registration Date,Registration Date,Folder,Domain Note',
};

test('exports of registrars are known by their columns, and give the name alone', () => {
  for (const [registrar, head] of Object.entries(EXPORTS)) {
    for (const text of [head, head.toUpperCase(), head.replaceAll(',', ';')]) {
      assert.deepEqual(find(text), { registrar, map: new Map([['name', 0]]) });
    }
  }
});

test('columns with the names of the fields are imported in any order', () => {
  assert.deepEqual(
    find('State,Name,Other,about').map,
    new Map([
      ['name', 1],
      ['state', 0],
      ['about', 3],
    ]),
  );
});

test('Domain and List Price are the name and the price, also beside the columns of a registrar', () => {
  for (const head of ['Domain,List Price,Renewal Price', 'domain name;LIST PRICE;Price']) {
    assert.deepEqual(
      find(head).map,
      new Map([
        ['name', 0],
        ['price', head.includes(';') ? 2 : 1],
      ]),
    );
  }
  const { map, registrar } = find(`${EXPORTS.Dynadot},List Price`);
  assert.equal(registrar, 'Dynadot');
  assert.deepEqual(
    [...map],
    [
      ['name', 0],
      ['price', 11],
    ],
  );
});

test('the column of the status is known, unless it is imported', () => {
  const statusOf = (head: string, mapping?: string) => {
    const table = readTable(head, 'a.csv');
    return statusColumn(table, findColumns(table, 'a.csv', mapping).map);
  };
  assert.equal(statusOf(EXPORTS.GoDaddy), 8);
  assert.equal(statusOf(EXPORTS.Namecheap), 2);
  assert.equal(statusOf('name,STATUS'), 1);
  assert.equal(statusOf('name,Status', 'state=Status'), undefined);
  assert.equal(statusOf('name,price'), undefined);
});

test('--map names columns, also beside those that are known', () => {
  assert.deepEqual(
    find(EXPORTS.GoDaddy, 'price=estimated value').map,
    new Map([
      ['name', 0],
      ['price', 11],
    ]),
  );
  assert.deepEqual(
    find('"Price, net=0";My Names', ' name = My Names ,price=Price, net=0').map,
    new Map([
      ['name', 1],
      ['price', 0],
    ]),
  );
});

test('wrong columns are reported with what to write', () => {
  for (const [head, mapping, message] of [
    [
      'Date,Domains\n2026-01-01,lap.app',
      undefined,
      /a\.csv is not an export that this command knows .* Its columns are: "Date", "Domains"\. .*: --map "name=Domains"$/,
    ],
    ['Date,Price\n1,2', undefined, /like this: --map "name=Domain Name"$/],
    [
      'lap.app\nsite.app',
      undefined,
      /a\.csv begins with a domain name: its first line has to name the columns/,
    ],
    [
      'name,price',
      'price=List Price',
      /a\.csv has no column "List Price"\. Its columns are: "name", "price"\.$/,
    ],
    ['name,a,A', 'price=a', /a\.csv has the column "a" twice \(columns 2 and 3\): rename one of them\.$/],
    ['name,NAME', undefined, /has the column "name" twice/],
    ['name,a', 'colour=a', /--map has "colour=a": write FIELD=COLUMN .* The fields are name, price, /],
    ['name,a', 'price', /--map has "price": write FIELD=COLUMN/],
    ['name,a', 'price=', /--map has "price=": write FIELD=COLUMN/],
    ['name,a', 'price=a,price=name', /--map names the field price twice: remove one of them\.$/],
  ] as const) {
    assert.throws(() => find(head, mapping), message, `${head} ${mapping}`);
  }
});

function find(text: string, mapping?: string) {
  return findColumns(readTable(text, 'a.csv'), 'a.csv', mapping);
}
