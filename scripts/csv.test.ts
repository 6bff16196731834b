import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, csvLine } from './csv.ts';

const OFFER = {
  id: '1',
  domain_name: 'lap.app',
  offer_amount: '1,000 €',
  customer_name: 'Ada "the" Countess',
  customer_email: 'ada@example.com',
  created_at: '2026-11-20T13:00:00+00:00',
  status: 'pending',
};

test('commas and quotes stay within their cell', () => {
  assert.equal(
    csvLine(OFFER),
    '1,lap.app,"1,000 €","Ada ""the"" Countess",ada@example.com,2026-11-20T13:00:00+00:00,pending\r\n',
  );
});

test('a text that a spreadsheet would run as a formula is made inert', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    const line = csvLine({ ...OFFER, customer_name: `${start}cmd|' /C calc'!A0` });
    assert.match(line, new RegExp(`,"?'\\${start}cmd`));
  }
});

test('so is one that begins a cell only where cells are parted by semicolons', () => {
  for (const [text, inert] of [
    ['0;=1+1;', "0;'=1+1;"],
    ['0; "=1+1', '0; ""\'=1+1'],
    ['0\n=1+1', "0\n'=1+1"],
    ['0\t@sum', "0\t'@sum"],
    ['  =1+1', "  '=1+1"],
  ] as const) {
    assert.ok(csvLine({ ...OFFER, offer_amount: text }).includes(inert), text);
  }
  assert.ok(csvLine({ ...OFFER, offer_amount: '1-2; a=b' }).includes(',1-2; a=b,'));
});

test('the first line names the columns and says that the file is UTF-8', () => {
  assert.equal(
    csvHead(),
    '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status\r\n',
  );
});
