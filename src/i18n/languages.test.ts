import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate } from '#contract/interpolate.ts';
import { VISITOR_FIELDS } from '#contract/offer-fields.ts';
import { findMissingMessage } from './find-missing-message.ts';
import { FORM_REJECTIONS } from './form-rejections.ts';
import { LANGUAGES, messagesOf } from './languages.ts';

test('every language has every message, with the same placeholders', () => {
  assert.ok(LANGUAGES.length > 1);
  for (const language of LANGUAGES) assert.ok(messagesOf(language).name);
});

test('English shows the functions’ messages; other languages have one for every error code', () => {
  assert.equal(messagesOf('en').rejections, undefined);
  assert.match(messagesOf('de').rejections?.too_many_offers ?? '', /Zu viele Angebote/);
});

test('the message of a rejected field names it, and that of a wait names its minutes, in every language', () => {
  const naming = Object.keys(FORM_REJECTIONS).filter((code) => FORM_REJECTIONS[code]?.includes('{field}'));
  assert.deepEqual(naming, ['missing', 'too_long', 'not_plain_text']);
  assert.match(messagesOf('de').rejections?.missing ?? '', /„\{field\}“/);
  assert.match(messagesOf('de').rejections?.too_many_offers ?? '', /\{minutes\}/);
});

test('a missing message is reported with its path, and so are different placeholders', () => {
  const original = { form: { submit: 'Submit' }, broker: { link: 'Use Broker for {domain}' } };
  assert.equal(findMissingMessage(original, original), undefined);
  assert.equal(
    findMissingMessage({ form: {}, broker: original.broker }, original),
    'has no text form.submit: write it',
  );
  assert.equal(
    findMissingMessage({ broker: original.broker }, original),
    'has no text form.submit: write it',
  );
  assert.equal(
    findMissingMessage({ ...original, broker: { link: 'Broker' } }, original),
    'has other placeholders in the text broker.link: write {domain} in it',
  );
  assert.equal(
    findMissingMessage({ ...original, form: { submit: 'Send {it}' } }, original),
    'has other placeholders in the text form.submit: write it without',
  );
});

test('a language that lacks a message, or that of an error code, is an error that names its file', () => {
  const { form, rejections = {} } = messagesOf('de');
  for (const [section, name, path] of [
    [form, 'submit', 'form.submit'],
    [rejections, 'internal', 'rejections.internal'],
  ] as [Record<string, unknown>, string, string][]) {
    const text = section[name];
    delete section[name];
    try {
      const message = `src/i18n/de.ts has no text ${path}: write it.`;
      assert.throws(() => messagesOf('de'), { name: 'MessagesError', message });
    } finally {
      section[name] = text;
    }
  }
});

test('placeholders are replaced by strings unchanged, and by numbers in the locale’s format', () => {
  assert.equal(interpolate('{count} {domain}', { count: 10_000, domain: '$&.app' }, 'en'), '10,000 $&.app');
  assert.equal(interpolate('{count}', { count: 10_000 }, 'de'), '10.000');
});

test('every language has a label for each field, in the order of the form', () => {
  for (const language of LANGUAGES) {
    const { labels } = messagesOf(language).form;
    assert.deepEqual(Object.keys(labels), Object.keys(VISITOR_FIELDS), language);
  }
});
