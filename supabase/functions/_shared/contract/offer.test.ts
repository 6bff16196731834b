import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlank, OfferSubmissionSchema } from './offer.ts';

const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '1,000 €',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
  turnstile_token: 'token',
};
const problems = (change: Record<string, unknown>) =>
  OfferSubmissionSchema.safeParse({ ...OFFER, ...change }).error?.issues.map(
    ({ path, message, code }) => `${path.join('.')} ${code === 'unrecognized_keys' ? code : message}`,
  ) ?? [];

test('texts stay as they were entered, to the last character', () => {
  const texts = { offer_amount: ' 1,000 €  "make\' <script>😀é ', customer_name: 'Zoë\u202Etxt ‮' };
  assert.deepEqual(OfferSubmissionSchema.parse({ ...OFFER, ...texts }), { ...OFFER, ...texts });
});

test('a length counts code points, so that one emoji counts once', () => {
  assert.deepEqual(problems({ customer_name: '😀'.repeat(200) }), []);
  assert.deepEqual(problems({ customer_name: '😀'.repeat(201) }), ['customer_name too_long']);
});

test('a field that is missing, blank, of another type or unknown is named', () => {
  assert.deepEqual(problems({ offer_amount: undefined }), ['offer_amount missing']);
  assert.deepEqual(problems({ offer_amount: ' \u00a0 ' }), ['offer_amount missing']);
  assert.deepEqual(problems({ offer_amount: 1000 }), ['offer_amount missing']);
  assert.deepEqual(problems({ offer_amount: ['1'] }), ['offer_amount missing']);
  assert.deepEqual(problems({ status: 'accepted' }), [' unrecognized_keys']);
});

test('a text of invisible characters alone is missing, and such characters beside others stay', () => {
  for (const text of ['\u3164', '\u2800\u2800', '\u200b\u200d\ufeff', '\u00ad \u2060', '\u{e0041}']) {
    assert.deepEqual(problems({ offer_amount: text }), ['offer_amount missing'], JSON.stringify(text));
    assert.equal(isBlank(text), true);
  }
  for (const text of ['👩‍👩‍👧‍👦', 'می‌خواهم', '1\u2800000', '.', '\u0301']) {
    assert.deepEqual(problems({ offer_amount: text }), [], JSON.stringify(text));
  }
});

test('control characters and lone surrogates are rejected', () => {
  for (const text of ['a\u0000b', 'a\r\nb', 'a\u0085b', 'a\ud800b', '\udc00']) {
    assert.deepEqual(
      problems({ customer_name: text }),
      ['customer_name not_plain_text'],
      JSON.stringify(text),
    );
  }
});

test('a message is optional, has lines and other white space, and no other control character', () => {
  for (const message of [
    '',
    ' \n ',
    'a',
    'a\r\nb\vc\fd',
    'a\nb\n\n\tc',
    '\n<b>=1+1</b> \u202e',
    '😀'.repeat(1000),
  ]) {
    assert.deepEqual(problems({ message }), []);
    assert.equal(OfferSubmissionSchema.parse({ ...OFFER, message }).message, message);
  }
  for (const message of ['a\u0000b', 'a\bb', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\ud800b', '\udc00']) {
    assert.deepEqual(problems({ message }), ['message control_characters'], JSON.stringify(message));
  }
  for (const message of [null, 1, ['a'], {}]) assert.deepEqual(problems({ message }), ['message missing']);
  assert.deepEqual(problems({ message: 'a'.repeat(1001) }), ['message too_long']);
  assert.deepEqual(problems({ message: '😀'.repeat(1001) }), ['message too_long']);
});

test('an email is valid if a browser’s email field accepts it', () => {
  for (const email of ['a@b', 'ada+x@example.com', "o'hara@example.co.uk"]) {
    assert.deepEqual(problems({ customer_email: email }), [], email);
  }
  for (const email of ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@exa mple.com', 'ada@-x.com']) {
    assert.deepEqual(problems({ customer_email: email }), ['customer_email not_an_email'], email);
  }
});

test('a language code is optional, and nothing else is taken for one', () => {
  for (const locale of ['de', 'pt-BR', 'zh-Hant-TW']) assert.deepEqual(problems({ locale }), []);
  for (const locale of ['', 'en-x', 'de-1a', 'DE', 'de_DE', 'de\n', 'a'.repeat(30), 1, null, ['de']]) {
    assert.equal(problems({ locale }).length, 1, JSON.stringify(locale));
  }
});
