import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { createNamesExport } from './export-names.ts';
import { nameOf, namesOf, valuesOf } from './names.fixture.ts';

async function exported(
  total: number,
  change: (page: ReturnType<typeof namesOf>) => unknown = () => {},
  file: Parameters<typeof namesOf>[1] = 'own',
) {
  const page = namesOf(total, file);
  await change(page);
  const save = mock.fn<(name: string, lines: string[]) => void>();
  const { exportNames } = createNamesExport(page, save);
  await new MutationObserver(page.client, exportNames).mutate('en');
  return save.mock.calls[0]?.arguments[1] ?? [];
}

test('the file has what is listed, page by page, as the command for imports reads it', async () => {
  const lines = await exported(250);
  assert.equal(lines[0], '\uFEFFname,price,description,state,minimum\r\n');
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',')[0]),
    Array.from({ length: 250 }, (_, n) => nameOf(n)),
  );
  const filtered = await exported(250, ({ setView }) => setView({ term: '00007' }));
  assert.equal(filtered.length, 2);
});

test('a price that was taken out of the file since the list was read is not in it', async () => {
  const lines = await exported(1, async ({ client, pageQuery, $view, write }) => {
    await client.query(pageQuery($view.get(), 0));
    write([{ name: nameOf(0), field: 'price', to: null }]);
  });
  assert.equal(lines[1], `${nameOf(0)},,,for_sale,\r\n`);
});

test('a state that was changed in the file since the list was read is in it', async () => {
  const lines = await exported(2, async ({ client, pageQuery, $view, write }) => {
    const stateOf = (n: number, to: string | null) => write([{ name: nameOf(n), field: 'state', to }]);
    stateOf(0, 'sold');
    await client.query(pageQuery($view.get(), 0));
    stateOf(0, null);
    stateOf(1, 'reserved');
  });
  assert.deepEqual(lines.slice(1), [`${nameOf(0)},$1,,for_sale,\r\n`, `${nameOf(1)},$2,,reserved,\r\n`]);
});

test('without a file that can be read the list has what the database knows', async () => {
  const sold = ({ write }: ReturnType<typeof namesOf>) =>
    write([{ name: nameOf(0), field: 'state', to: 'sold' }]);
  const lines = await exported(2, sold, 'unavailable');
  assert.deepEqual(lines.slice(1), [`${nameOf(0)},$1,,sold,\r\n`, `${nameOf(1)},$2,,for_sale,\r\n`]);
  const fromFile = await exported(2, sold);
  assert.equal(fromFile[1], `${nameOf(0)},$1,,sold,\r\n`);
});

test('no cell is one that a spreadsheet runs', async () => {
  const description = { en: { value: '=1+1, "quoted"', is_default: false } };
  const lines = await exported(1, ({ values }) =>
    values.set(nameOf(0), valuesOf('$4,500', { description, minimum: { value: '25%', is_default: true } })),
  );
  assert.equal(lines[1], `${nameOf(0)},"$4,500","'=1+1, ""quoted""",for_sale,25%\r\n`);
});
