import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMMANDS, stepsOf } from '../../commands/command-table.mjs';
import { tasksOf, usesPostgres } from './tasks.ts';

/** What opens a database on PostgreSQL. */
const OPENS_POSTGRES = /from '[^']*\/(?:postgres|postgrest|hosted-stand-in|engines|bare-engines)\.ts'/;

const tasks = tasksOf({ parts: ['daily', 'rest'], seed: 1, isFull: false });

test('every test file is in a run of all tests, or a command of its own names it', () => {
  const all = globSync('**/*.{test,spec}.{ts,tsx}', {
    exclude: (name) => name === 'node_modules' || name.startsWith('.'),
  });
  const named = COMMANDS.flatMap(({ commands }) => commands.flatMap(stepsOf))
    .flat()
    .filter((argument) => argument.endsWith('.test.ts'));
  const run = [...tasks.flatMap(({ files }) => files), ...globSync(named)];
  assert.ok(all.length > 0);
  assert.deepEqual(run.toSorted(), all.toSorted());
});

test('every file that opens a database on PostgreSQL shares the server of the run', () => {
  const users = tasks.filter(({ files }) =>
    files.some((file) => OPENS_POSTGRES.test(readFileSync(file, 'utf8'))),
  );
  assert.ok(users.length > 0);
  assert.deepEqual(
    users.filter((task) => !usesPostgres(task)).map(({ name }) => name),
    [],
  );
});
