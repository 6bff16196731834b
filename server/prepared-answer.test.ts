import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PreparedAnswer } from './prepared-answer.ts';

const START = Date.parse('2026-11-22T10:00:00Z');
const prepare = () =>
  new PreparedAnswer(['content-type', 'text/plain', 'content-length', '4'], Buffer.from('page'));

test('an answer is the headers with its date, and the body', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: START });
  const answer = prepare();
  assert.equal(
    answer.dated().toString(),
    'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\nDate: Sun, 22 Nov 2026 10:00:00 GMT\r\n' +
      'Connection: keep-alive\r\nKeep-Alive: timeout=15\r\n\r\npage',
  );
  assert.equal(answer.body.toString(), 'page');
});

test('its date follows the clock in the same memory', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: START });
  const answer = prepare();
  const first = answer.dated();
  context.mock.timers.tick(1_000);
  assert.equal(answer.dated(), first);
  assert.match(first.toString(), /Date: Sun, 22 Nov 2026 10:00:01 GMT\r\n/);
});

test('what is still on its way stays as it is', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: START });
  const answer = prepare();
  const first = answer.dated();
  answer.isOnItsWay();
  context.mock.timers.tick(1_000);
  const second = answer.dated();
  assert.match(first.toString(), /10:00:00 GMT/);
  assert.match(second.toString(), /10:00:01 GMT.*\r\n\r\npage$/s);
  context.mock.timers.tick(1_000);
  assert.equal(answer.dated(), second);
});
