import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable } from './read-table.ts';

test('UTF-8 is read with and without a byte order mark', () => {
  for (const mark of ['', '\uFEFF']) {
    for (const head of ['name,price', '"name","price"']) {
      assert.deepEqual(read(`${mark}${head}\r\nbücher.app,"$1,000 ""net"""\r\n`), {
        columns: ['name', 'price'],
        headLine: 1,
        rows: [{ line: 2, cells: ['bücher.app', '$1,000 "net"'] }],
      });
    }
    assert.deepEqual(read(`${mark}sep=;\nname;price, net\nlap.app;1\n`).columns, ['name', 'price, net']);
  }
});

test('another encoding and a spreadsheet are rejected with how to save the file', () => {
  for (const bytes of [
    Buffer.from('name,price\nsite.app,5 £\n', 'latin1'),
    Buffer.from('\uFEFFname,price\n', 'utf16le'),
    Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 8, 8, 8, 0, 0xd8, 0x7a]),
  ]) {
    assert.throws(
      () => readTable(bytes, 'a.csv'),
      /^UserError: a\.csv is not CSV in UTF-8\. Save it as such, in Excel by “Save as”, type “CSV UTF-8”/,
    );
  }
});

test('commas, semicolons, tabs and bars separate cells', () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = `name${delimiter}b${delimiter}c\nlap.app${delimiter} x ${delimiter}1\n`;
    assert.deepEqual(read(text).rows, [{ line: 2, cells: ['lap.app', 'x', '1'] }], delimiter);
  }
  assert.deepEqual(read('name\nlap.app').rows, [{ line: 2, cells: ['lap.app'] }]);
});

test('a row has the line on which it begins, whatever the line breaks', () => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const text = ['', 'name,about', 'a.app,"one', 'two"', '', ',', 'b.app,"x"" y"', 'c.app,5" disk'].join(
      lineBreak,
    );
    assert.deepEqual(
      read(text).rows.map(({ line, cells }) => [line, cells[0]]),
      [
        [3, 'a.app'],
        [7, 'b.app'],
        [8, 'c.app'],
      ],
      JSON.stringify(lineBreak),
    );
  }
  assert.equal(read('name\r\na.app\nb.app\rc.app').rows.length, 3, 'mixed');
});

test('what stands above the names of the columns is skipped, and lines keep their numbers', () => {
  for (const [text, headLine, mapping] of [
    ['sep=;\r\nDomain;Preis\r\nlap.app;5,00 €\r\n', 2],
    ['sep=;\nDomain;Price, net, in EUR\nlap.app;5,00 €\n', 2],
    ['"sep=;"\nDomain;Preis\nlap.app;5,00 €\n', 2],
    ['sep=\t\nDomain\tPreis\nlap.app\t5,00 €\n', 2],
    ['My domains, by date, as of May\n\nDomain;Preis\nlap.app;5,00 €\n', 3],
    ['Export;;\nName of the account;Nora;\n"Domain";"Preis"\nlap.app;5,00 €\n', 3],
    ['Portfolio\nAs of;May\nWeb;Preis\nlap.app;5,00 €\n', 3, 'name=Web'],
    ['Portfolio\nWeb;Preis\nlap.app;5,00 €\n', 2],
  ] as const) {
    const { rows, headLine: found } = readTable(Buffer.from(text), 'a.csv', mapping);
    assert.equal(found, headLine, text);
    assert.deepEqual(rows, [{ line: headLine + 1, cells: ['lap.app', '5,00 €'] }], text);
  }
});

test('the names of the columns are looked for in the first 30 lines that are filled', () => {
  const above = (count: number) => 'site.app;1\n\n'.repeat(count);
  assert.equal(read(`${above(29)}name;price\nlap.app;1\n`).rows.length, 1);
  assert.equal(read(`${above(30)}name;price\nlap.app;1\n`).rows.length, 31, 'no row is skipped');
});

test('a formula that is a text is read as that text, and any other one as it stands', () => {
  for (const [cell, text] of [
    ['="lap.app"', 'lap.app'],
    ['=" lap.app "', 'lap.app'],
    ['"=""lap.app"""', 'lap.app'],
    ['"= ""say """"lap"""""""', 'say "lap"'],
    ['"=HYPERLINK(""https://lap.app/"",""lap.app"")"', 'lap.app'],
    ['"=hyperlink( ""https://lap.app/"" ; ""lap.app"" )"', 'lap.app'],
    ['"=HYPERLINK(""https://lap.app/"")"', 'https://lap.app/'],
    [`"'=""lap.app"""`, '="lap.app"'],
    ['=SUM(A1:A5)', '=SUM(A1:A5)'],
    ['"=""a""&""b"""', '="a"&"b"'],
  ] as const) {
    assert.deepEqual(read(`name,price\n${cell},1\n`).rows[0]?.cells, [text, '1'], cell);
  }
  assert.deepEqual(read('"=""Domain""",="Price"\nlap.app,1\n').columns, ['Domain', 'Price']);
});

test('a name of a column with more than 500 characters is rejected with its line', () => {
  const head = (length: number) => `Export\nname,${'x'.repeat(length)}\nlap.app,1\n`;
  assert.equal(read(head(500)).rows.length, 1);
  assert.throws(
    () => read(head(501)),
    /^UserError: a\.csv: a column’s name in line 2 is longer than 500 characters\. Check its quotes\. Nothing was written\.$/,
  );
});

test('a quoted cell without end is reported with its line, and so is an empty file', () => {
  assert.throws(
    () => read('name,price\na.app,1\nb.app,"2\nc.app,3\n'),
    /a\.csv: the row that begins in line 3 could not be read \(CSV_QUOTE_NOT_CLOSED\)\. Check its quotes\./,
  );
  assert.throws(() => read(' \n\n'), /a\.csv is empty\./);
});

function read(text: string) {
  return readTable(Buffer.from(text), 'a.csv');
}
