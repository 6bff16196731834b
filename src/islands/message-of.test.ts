import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from './message-of.ts';

function sent(message: string | undefined) {
  const form = new FormData();
  if (message !== undefined) form.set('message', message);
  return messageOf(form);
}

test('a message keeps its lines, and other control characters become spaces', () => {
  assert.deepEqual(sent('one\r\ntwo\rthree\n\nfour'), { message: 'one\ntwo\nthree\n\nfour' });
  assert.deepEqual(sent('a\tb\u0000c\u0085d'), { message: 'a b c d' });
  assert.deepEqual(sent(' <b>😀</b> \u202e '), { message: '<b>😀</b> \u202e' });
});

test('a form without a message, or with a blank one, sends none', () => {
  for (const text of [undefined, '', ' \n\t ']) assert.deepEqual(sent(text), {});
});
