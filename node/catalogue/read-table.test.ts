import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from './decode-text.ts';
import { readTable } from './read-table.ts';

const TEXT = 'name,price\r\nlap.app,"$1,000 ""net"""\r\n';
const TABLE = {
  columns: ['name', 'price'],
  rows: [{ line: 2, cells: ['lap.app', '$1,000 "net"'], isQuoted: true }],
};

test('UTF-8 and UTF-16 are read with and without a byte order mark', () => {
  for (const mark of ['', '\uFEFF']) {
    for (const bytes of [
      Buffer.from(mark + TEXT),
      Buffer.from(mark + TEXT, 'utf16le'),
      Buffer.from(mark + TEXT, 'utf16le').swap16(),
    ]) {
      assert.deepEqual(readTable(decodeText(bytes, 'a.csv'), 'a.csv'), TABLE);
    }
  }
});

test('another encoding is reported with its first line, and so is a spreadsheet', () => {
  const latin1 = Buffer.from('name,price\nlap.app,1\nsite.app,5 £\n', 'latin1');
  assert.throws(
    () => decodeText(latin1, 'a.csv'),
    /^UserError: a\.csv, line 3, is not in UTF-8\. Save the file as CSV/,
  );
  assert.throws(
    () => decodeText(Buffer.from('PK\u0003\u0004'), 'a.xlsx'),
    /a\.xlsx is a spreadsheet or an archive/,
  );
});

test('commas, semicolons and tabs separate cells', () => {
  for (const delimiter of [',', ';', '\t']) {
    const text = `name${delimiter}"a,b;c\td${delimiter}e"\nlap.app${delimiter} x \n`;
    assert.deepEqual(
      readTable(text, 'a.csv').rows,
      [{ line: 2, cells: ['lap.app', 'x'], isQuoted: false }],
      delimiter,
    );
  }
  assert.deepEqual(readTable('sep=;\r\nname;price, net\r\nlap.app;1\r\n', 'a.csv'), {
    columns: ['name', 'price, net'],
    rows: [{ line: 3, cells: ['lap.app', '1'], isQuoted: false }],
  });
  assert.deepEqual(readTable('name\nlap.app', 'a.csv').rows, [
    { line: 2, cells: ['lap.app'], isQuoted: false },
  ]);
});

test('a row has the line on which it begins, whatever the line breaks', () => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const text = ['', 'name,about', 'a.app,"one', 'two"', '', ',', 'b.app,"x"" y"', 'c.app,5" disk'].join(
      lineBreak,
    );
    assert.deepEqual(
      readTable(text, 'a.csv').rows.map(({ line, cells }) => [line, cells[0]]),
      [
        [3, 'a.app'],
        [7, 'b.app'],
        [8, 'c.app'],
      ],
      JSON.stringify(lineBreak),
    );
  }
  assert.equal(readTable('name\r\na.app\nb.app\rc.app', 'a.csv').rows.length, 3, 'mixed');
});

test('a quoted cell without end is reported with its line, and so is an empty file', () => {
  assert.throws(
    () => readTable('name,price\na.app,1\nb.app,"2\nc.app,3\n', 'a.csv'),
    /a\.csv: the row that begins in line 3 has a quote \("\) at the beginning of a cell and none at its end\./,
  );
  assert.throws(() => readTable(' \n\n', 'a.csv'), /a\.csv is empty\./);
});
