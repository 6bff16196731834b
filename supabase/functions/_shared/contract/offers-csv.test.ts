import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../tests/support/fast-check.ts';
import { columnsOf, csvHead, csvLine } from './offers-csv.ts';

const OFFER = {
  id: '1',
  domain_name: 'lap.app',
  offer_amount: '1,000 €',
  customer_name: 'Ada "the" Countess',
  customer_email: 'ada@example.com',
  created_at: '2026-11-20T13:00:00+00:00',
  status: 'pending',
  current_amount: '1,001 €',
};

test('commas and quotes stay within their cell', () => {
  assert.equal(
    csvLine(OFFER),
    '1,lap.app,"1,000 €","Ada ""the"" Countess",ada@example.com,2026-11-20T13:00:00+00:00,pending,"1,001 €",,,,,,,,,,,,\r\n',
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

test('full-width signs and invisible characters before a sign do not make a formula', () => {
  for (const text of [
    '＝1+1',
    '＋1',
    '－1',
    '＠sum',
    '﹦1',
    '\u200B=1',
    '\uFEFF=1',
    '\u202E\u2066=1',
    '\u00A0＝1',
    '＂=1',
  ]) {
    const line = csvLine({ ...OFFER, customer_name: text });
    assert.match(line, /,"?[^\p{L}\p{N}]*'[=＝＋－＠﹦]/u, JSON.stringify(text));
  }
  assert.ok(csvLine({ ...OFFER, customer_name: '\u200B\tAda' }).includes(",\u200B'\tAda,"));
});

test('no text becomes a formula, and none is changed but by an apostrophe', () => {
  const invisible = fc.constantFrom(
    ...' \t\r\n\v\f\0\u0085\u00A0\u00AD\u061C\u180E\u200B\u200F\u202E\u2060\u2066\u3000\uFEFF"',
  );
  const sign = fc.constantFrom(...'=+-@＝＋－＠﹦﹢﹣﹫');
  const piece = fc.oneof(
    invisible,
    sign,
    fc.constantFrom(';', "'", 'a', '1', ','),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const line = csvLine({ ...OFFER, customer_name: text });
      const cell = nameIn(line);
      assert.ok(!startsFormula(cell), JSON.stringify(cell));
      // Where semicolons part cells, as in much of Europe.
      for (const part of cell.split(/[;\t\r\n]/)) assert.ok(!startsFormula(part), JSON.stringify(cell));
      assert.equal(cell.replaceAll("'", ''), text.replaceAll("'", ''));
    }),
    { numRuns: 5_000 },
  );
});

/** What a spreadsheet takes for a formula: a sign, in any width, once what cannot be seen is left out. */
function startsFormula(cell: string): boolean {
  return /^[=+\-@]/.test(cell.normalize('NFKC').replace(/[\s"\p{C}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

/** The customer's name in a line, without the quotes of CSV. */
function nameIn(line: string): string {
  const rest = line.slice(line.indexOf('€",') + '€",'.length, line.lastIndexOf(',ada@example.com'));
  return rest.startsWith('"') ? rest.slice(1, -1).replaceAll('""', '"') : rest;
}

test('the first line names the columns and says that the file is UTF-8', () => {
  assert.equal(
    csvHead(),
    '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status,current_amount,agreed_amount,value,currency,current_value,current_currency,agreed_value,agreed_currency,reference,pay_by,paid_at,transferred_at,sold_at\r\n',
  );
});

test('messages stand before the amounts, in cells of several lines that run no formula', () => {
  const columns = columnsOf(true);
  assert.ok(
    csvHead(columns).endsWith(
      ',status,message,current_amount,agreed_amount,value,currency,current_value,current_currency,agreed_value,agreed_currency,reference,pay_by,paid_at,transferred_at,sold_at\r\n',
    ),
  );
  assert.ok(
    csvLine({ ...OFFER, message: 'one, "two"\n=1+1' }, columns).endsWith(
      `,pending,"one, ""two""\n'=1+1","1,001 €",,,,,,,,,,,,\r\n`,
    ),
  );
  assert.ok(csvLine(OFFER, columns).endsWith(',pending,,"1,001 €",,,,,,,,,,,,\r\n'));
});

test('the amount that counts, the agreed one, what was read in them and the deal are the last columns, and run no formula', () => {
  const amounts = { current_amount: '=4100', agreed_amount: '$4,100', value: -5, currency: 'EUR' };
  const deal = { reference: 'LAP-7F3K', pay_by: '2026-12-04', paid_at: null };
  const line = csvLine({ ...OFFER, ...amounts, agreed_value: 4100.5, agreed_currency: 'USD', ...deal });
  assert.ok(line.endsWith(`,pending,'=4100,"$4,100",-5,EUR,,,4100.5,USD,LAP-7F3K,2026-12-04,,,\r\n`), line);
});
