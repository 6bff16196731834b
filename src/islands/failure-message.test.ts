import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from '../i18n/de.ts';
import { failureMessage } from './failure-message.ts';

/** As on a page whose form has the field. */
const LABELS = { ...de.form.labels, message: 'Nachricht' };
const TOO_MANY = {
  error: 'Too many offers at once. Please try again in 4 minutes.',
  code: 'too_many_offers',
  minutes: 4,
};

for (const [what, rejection, message] of [
  [
    'a known code has the page’s message',
    TOO_MANY,
    'Zu viele Angebote auf einmal. Bitte versuchen Sie es in 4 Min. noch einmal.',
  ],
  [
    'a field is named by its label, with its limit',
    { error: 'Please shorten your name.', code: 'too_long', field: 'customer_name' },
    'Bitte kürzen Sie das Feld „Name“ auf 200 Zeichen.',
  ],
  [
    'the message to the owner has its limit, too',
    { error: 'Please shorten your message.', code: 'too_long', field: 'message' },
    `Bitte kürzen Sie das Feld „Nachricht“ auf ${(1_000).toLocaleString()} Zeichen.`,
  ],
  [
    'an unknown code has the function’s message',
    { error: 'The moon is full.', code: 'full_moon' },
    'The moon is full.',
  ],
  [
    'a code that is a property of every object is unknown',
    { error: 'Not today.', code: 'constructor' },
    'Not today.',
  ],
  ['without code and message there is none', {}, undefined],
] as const) {
  test(what, () => {
    assert.equal(failureMessage({ reason: 'rejected', ...rejection }, LABELS, de.rejections), message);
  });
}

test('a page in the functions’ own language has their message unchanged', () => {
  assert.equal(failureMessage({ reason: 'rejected', ...TOO_MANY }, LABELS, undefined), TOO_MANY.error);
});
