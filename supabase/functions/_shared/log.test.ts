import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRequest } from './log.ts';

test('the log reports how many lines of a function were left out', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { mock } = context.mock.method(console, 'log', () => {});
  for (let line = 0; line < 1_000; line += 1) logRequest('admin-auth', 'id', 200, 1);
  assert.equal(mock.callCount(), 20);
  context.mock.timers.tick(1_000);
  const { event, lines, function: name } = JSON.parse(mock.calls.at(-1)?.arguments[0]);
  assert.deepEqual({ event, lines, name }, { event: 'lines_left_out', lines: 980, name: 'admin-auth' });
});

test('a successful response of bot-check or deliver is not logged, and one of another status is', (context) => {
  const log = context.mock.method(console, 'log', () => {});
  logRequest('bot-check', 'id', 200, 1);
  logRequest('deliver', 'id', 200, 1);
  assert.equal(log.mock.callCount(), 0);
  logRequest('bot-check', 'id', 422, 1);
  logRequest('order-submit', 'id', 201, 1);
  const lines = log.mock.calls.map(({ arguments: [line] }) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ function: name, status }) => [name, status]),
    [
      ['bot-check', 422],
      ['order-submit', 201],
    ],
  );
});
