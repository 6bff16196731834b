import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

test('the log reports how many lines of a function were left out', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const log = createLog(console);
  const { mock } = context.mock.method(console, 'log', () => {});
  for (let line = 0; line < 1_000; line += 1) log.request('admin-auth', 'id', 200, 1);
  assert.equal(mock.callCount(), 20);
  context.mock.timers.tick(1_000);
  const { event, lines, function: name } = JSON.parse(mock.calls.at(-1)?.arguments[0]);
  assert.deepEqual({ event, lines, name }, { event: 'lines_left_out', lines: 980, name: 'admin-auth' });
});

test('a successful response of bot-check or deliver is not logged, and one of another status is', (context) => {
  const log = createLog(console);
  const { mock } = context.mock.method(console, 'log', () => {});
  log.request('bot-check', 'id', 200, 1);
  log.request('deliver', 'id', 200, 1);
  assert.equal(mock.callCount(), 0);
  log.request('bot-check', 'id', 422, 1);
  log.request('order-submit', 'id', 201, 1);
  const lines = mock.calls.map(({ arguments: [line] }) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ function: name, status }) => [name, status]),
    [
      ['bot-check', 422],
      ['order-submit', 201],
    ],
  );
});
