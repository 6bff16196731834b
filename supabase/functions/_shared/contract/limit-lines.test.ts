import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitLines } from './limit-lines.ts';

test('the log is limited to a rate, then reports how many lines were left out', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const lines: unknown[] = [];
  const write = limitLines(
    (line) => lines.push(line),
    (count) => lines.push(`${count} left out`),
    20,
  );
  const flood = (count: number) => {
    for (let line = 0; line < count; line += 1) write(line);
  };
  flood(1_000);
  assert.equal(lines.length, 20);
  context.mock.timers.tick(1_000);
  assert.equal(lines.length, 21);
  assert.equal(lines.at(-1), '980 left out');

  flood(10);
  assert.equal(lines.length, 31, 'there is room again');
  context.mock.timers.tick(10_000);
  assert.equal(lines.length, 31, 'nothing was left out since');

  flood(20);
  context.mock.timers.tick(500);
  flood(20);
  assert.equal(lines.length, 61, 'half of them after half a second');
  context.mock.timers.tick(1_000);
  assert.equal(lines.at(-1), '10 left out');
});
