import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayImport, readLayers } from './read-layers.ts';

const TABLE = `
| folder | runs in | imports |
|---|---|---|
| \`lib/contract\` | browser | itself |
| \`lib\` | Deno | \`lib/contract\` |
| \`lib/task-*\` | Deno | \`lib\`, \`lib/contract\` |
| \`app/stores\`, \`app/views\` | browser | \`lib/contract\` |
| \`tests\` | Node | everything |
`;
const layers = readLayers(TABLE);

test('a layer imports itself and the layers that its row names', () => {
  assert.equal(mayImport(layers, 'lib/a.ts', 'lib/inner/b.ts'), true);
  assert.equal(mayImport(layers, 'lib/a.ts', 'lib/contract/b.ts'), true);
  assert.equal(mayImport(layers, 'lib/contract/b.ts', 'lib/a.ts'), false);
  assert.equal(mayImport(layers, 'app/stores/a.ts', 'app/views/b.ts'), false);
  assert.equal(mayImport(layers, 'tests/a.ts', 'app/views/b.ts'), true);
});

test('folders of one row with a wildcard do not import each other', () => {
  assert.equal(mayImport(layers, 'lib/task-a/a.ts', 'lib/task-a/b.ts'), true);
  assert.equal(mayImport(layers, 'lib/task-a/a.ts', 'lib/task-b/b.ts'), false);
});

test('a folder without a row may neither import nor be imported', () => {
  assert.equal(mayImport(layers, 'other/a.ts', 'lib/b.ts'), false);
  assert.equal(mayImport(layers, 'tests/a.ts', 'other/b.ts'), false);
});

test('a row that names a layer below it is rejected', () => {
  assert.throws(
    () => readLayers('| `a` | Node | `b` |\n| `b` | Node | itself |'),
    /may import b, which must be/,
  );
});
