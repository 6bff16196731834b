/** A document that is written from code fails the check after an edit of either, and the named command renews it. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder, runTool } from '../tests/support/terminal.ts';
import { COMMANDS } from './command-table.mjs';

const SCRIPT = join(import.meta.dirname, 'check-documents.ts');
const FILES = ['docs/commands.md', '.env.example', 'docs/owners-guide.md', 'docs/hosted.md'];

test('the check names a document that is not up to date, and the command that writes it', () => {
  const folder = newFolder();
  for (const file of FILES) cpSync(file, join(folder, file));
  const run = (...args: string[]) => runTool(SCRIPT, args, {}, folder);
  assert.deepEqual(run(), { code: 0, text: '' });
  const document = join(folder, 'docs/commands.md');
  const right = readFileSync(document, 'utf8');
  appendFileSync(document, '| `npm run nope` | Does nothing. |\n');
  assert.deepEqual(run(), {
    code: 1,
    text: 'docs/commands.md is not what the code makes of it. Run: npx node commands/check-documents.ts --write',
  });
  assert.equal(run('--write').code, 0);
  assert.equal(readFileSync(document, 'utf8'), right);
});

test('docs/commands.md has a row for each command, as it is called', () => {
  const text = readFileSync('docs/commands.md', 'utf8');
  const row = /^\| `npm (?:run )?([\w:]+)(?: -- [^`]+)?` \| [A-Z]/gm;
  assert.deepEqual(
    [...text.matchAll(row)].map(([, name]) => name),
    COMMANDS.flatMap(({ commands }) => commands.map(({ name }) => name)),
  );
  assert.match(text, /`npm start`.*`-- --watch`/);
});
