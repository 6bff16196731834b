import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayImport, readLayers } from './read-layers.ts';

const TABLE = `
| layer | runs in | except |
|---|---|---|
| \`lib/contract\` ← \`lib/texts\` | anywhere | |
| \`lib\` ← \`lib/task-*\` | Deno | |
| \`app/api\` ← \`app/stores\`, \`app/data\` | browser | not \`lib/texts\` |
| \`app/views\` | browser | not \`app/**\` besides \`app/stores\` |
| \`server\` ← \`server/edge-pages\` | Node | \`server\` not \`lib/task-*\` |
| \`pages\` | Node and browser | not \`app/api\`; \`pages\` not \`lib/**\` besides \`lib/texts\` |
| \`worker\` | edge | |
`;
const folders = readLayers(TABLE);

/** Pairs of files as `a/a.ts → b/b.ts`. */
function assertImports(allowed: boolean, pairs: readonly string[]): void {
  for (const pair of pairs) {
    const [from = '', to = ''] = pair.split(' → ');
    assert.equal(mayImport(folders, from, to), allowed, pair);
  }
}

test('a folder imports itself, rows above, and what stands before an arrow of its row', () => {
  assertImports(true, [
    'lib/a.ts → lib/inner/b.ts',
    'lib/texts/a.ts → lib/contract/b.ts',
    'lib/task-a/a.ts → lib/b.ts',
    'app/stores/a.ts → app/api/b.ts',
    'app/views/a.ts → lib/contract/b.ts',
    'server/edge-pages/a.ts → server/b.ts',
  ]);
  assertImports(false, [
    'lib/contract/a.ts → lib/texts/b.ts',
    'lib/a.ts → lib/task-a/b.ts',
    'app/api/a.ts → app/views/b.ts',
    'app/stores/a.ts → app/data/b.ts',
    'lib/contract/a.ts → lib/b.ts',
    'server/a.ts → server/edge-pages/b.ts',
  ]);
});

test('a folder imports nothing that its row excludes', () => {
  assertImports(false, [
    'app/stores/a.ts → lib/texts/b.ts',
    'app/views/a.ts → app/api/b.ts',
    'server/a.ts → lib/task-a/b.ts',
    'pages/a.ts → app/api/b.ts',
    'pages/a.ts → lib/contract/b.ts',
    'pages/a.ts → lib/task-a/b.ts',
  ]);
  assertImports(true, [
    'app/views/a.ts → app/stores/b.ts',
    'server/edge-pages/a.ts → lib/task-a/b.ts',
    'pages/a.ts → app/views/b.ts',
    'pages/a.ts → lib/texts/b.ts',
  ]);
});

test('code imports none that does not run where it runs', () => {
  assertImports(false, [
    'app/api/a.ts → lib/b.ts',
    'server/a.ts → app/api/b.ts',
    'worker/a.ts → server/b.ts',
    'worker/a.ts → app/api/b.ts',
    'worker/a.ts → lib/b.ts',
  ]);
  assertImports(true, ['worker/a.ts → lib/texts/b.ts', 'server/a.ts → lib/b.ts', 'pages/a.ts → server/b.ts']);
});

test('folders of one name with a wildcard do not import each other', () => {
  assertImports(true, ['lib/task-a/a.ts → lib/task-a/b.ts']);
  assertImports(false, ['lib/task-a/a.ts → lib/task-b/b.ts']);
});

test('a folder without a row may neither import nor be imported', () => {
  assertImports(false, ['other/a.ts → lib/b.ts', 'pages/a.ts → other/b.ts', 'pages/a.ts → tool.mjs']);
});

test('a row that cannot be followed is rejected', () => {
  for (const [row, message] of [
    ['| `b` | Bun | |', /`b` runs in “Bun”, which is not one of: anywhere, browser,/],
    ['| `b` | Node | no `a` |', /An exception of `b` names no folder after “not”: no `a`/],
    ['| `b` | Node | not `c` |', /An exception of `b` names c: before “not” stands a folder of its row/],
    ['| `b` | Node | `a` not `a` |', /An exception of `b` names a: before “not”/],
    ['| `a/x` ← `b` | Node | not `a/**` besides `a/x` |', /An exception of `a\/x` ← `b` names a\/x:/],
    ['| `b` | Node | not `b/**` |', /An exception of `b` names b\/\*\*:/],
  ] as const)
    assert.throws(() => readLayers(`| \`a\` | Node | |\n${row}`), { message }, row);
});
