import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimitedWriter, logRequest } from './log.ts';

test('the log is limited to 20 lines a second, then reports how many were left out', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const lines: Record<string, unknown>[] = [];
  const write = createLimitedWriter('order-submit', (text) => lines.push(JSON.parse(text)));
  const flood = (count: number) => {
    for (let line = 0; line < count; line += 1) write({ event: 'request', line });
  };
  flood(1_000);
  assert.equal(lines.length, 20);
  context.mock.timers.tick(1_000);
  assert.equal(lines.length, 21);
  assert.equal(lines.at(-1)?.event, 'lines_left_out');
  assert.equal(lines.at(-1)?.lines, 980);
  assert.equal(lines.at(-1)?.function, 'order-submit');

  flood(10);
  assert.equal(lines.length, 31, 'there is room again');
  context.mock.timers.tick(10_000);
  assert.equal(lines.length, 31, 'nothing was left out since');

  flood(20);
  context.mock.timers.tick(500);
  flood(20);
  assert.equal(lines.length, 61, 'half of them after half a second');
  context.mock.timers.tick(1_000);
  assert.equal(lines.at(-1)?.lines, 10);
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
