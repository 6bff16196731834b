import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../i18n/languages.ts';
import { textsOf } from '../i18n/own-texts.ts';
import { localizedSites, parameterOf, priceAttributes, priceFor, textFor } from './localized-sites.ts';

const LANGUAGES: Language[] = ['en', 'de'];
const KEYS = ['page.lead', 'page.seller.steps.reply.title', 'form.lead', 'form.promise', 'broker.none'];

/** The texts that name the time within which the owner answers, of every language. */
function textsWith(replyWithin: string | undefined, texts = {}) {
  return localizedSites({ languages: LANGUAGES, replyWithin }, texts).map(({ messages }) => {
    const all = textsOf(messages);
    return KEYS.map((key) => all.get(key));
  });
}

test('pages promise an answer within 24 hours, to the letter', () => {
  assert.deepEqual(textsWith(undefined), [
    [
      'Choose a name, tell us what it is worth to you, and hear from a person within 24 hours.',
      'Answer within 24 hours',
      'Tell us what it is worth to you, and hear from a person within 24 hours.',
      "We'll get back to you within 24 hours.",
      'Our broker will contact you within 24 hours to discuss your offer.',
    ],
    [
      'Wählen Sie einen Namen und sagen Sie uns, was er Ihnen wert ist: Ein Mensch antwortet Ihnen innerhalb von 24 Stunden.',
      'Antwort innerhalb von 24 Stunden',
      'Sagen Sie uns, was die Domain Ihnen wert ist: Ein Mensch antwortet Ihnen innerhalb von 24 Stunden.',
      'Wir melden uns innerhalb von 24 Stunden bei Ihnen.',
      'Unser Broker meldet sich innerhalb von 24 Stunden bei Ihnen, um Ihr Angebot zu besprechen.',
    ],
  ]);
});

test('with replyWithin every one of these texts names that time, in each language', () => {
  const today = textsWith(undefined);
  for (const [replyWithin, english, german] of [
    ['3 days', '3 days', '3 Tagen'],
    ['1 day', '1 day', '1 Tag'],
    ['1 hour', '1 hour', '1 Stunde'],
    ['36 hours', '36 hours', '36 Stunden'],
  ] as const) {
    assert.deepEqual(textsWith(replyWithin), [
      today[0]?.map((text) => text?.replace('24 hours', english)),
      today[1]?.map((text) => text?.replace('24 Stunden', german)),
    ]);
  }
});

test('no text of a page keeps the placeholder, nor names another time', () => {
  for (const { messages } of localizedSites({ languages: LANGUAGES, replyWithin: '3 days' }, {})) {
    for (const [key, text] of textsOf(messages)) assert.doesNotMatch(text, /\{replyTime\}|\b24\b/, key);
  }
});

test('an owner’s own text names the time where it has the placeholder', () => {
  const own = { en: { 'form.promise': 'Within {replyTime}!', 'form.lead': 'Soon.' } };
  const [english] = textsWith('2 days', own);
  assert.deepEqual([english?.[2], english?.[3]], ['Soon.', 'Within 2 days!']);
});

test('the owner’s texts and prices have the language of the page, or are marked with the first one', () => {
  const sites = localizedSites(
    { languages: LANGUAGES, replyWithin: undefined, currencies: { kr: 'SEK' } },
    {},
  );
  const [english = assert.fail(), german = assert.fail()] = sites;
  assert.deepEqual(
    sites.map((site) => [site.prefix, parameterOf(site), site.ownersLanguage]),
    [
      ['', undefined, undefined],
      ['/de', 'de', 'en'],
    ],
  );
  for (const [site, text, shown] of [
    [english, 'Fast.', { text: 'Fast.', lang: undefined }],
    [german, 'Fast.', { text: 'Fast.', lang: 'en' }],
    [german, { en: 'Fast.', de: 'Schnell.' }, { text: 'Schnell.', lang: undefined }],
  ] as const)
    assert.deepEqual(textFor(site, text), shown);
  for (const [site, price, text, attributes] of [
    [english, '$1,000', '$1,000', { translate: 'no' }],
    [german, '$1,000', '1.000 $', { translate: 'no' }],
    [german, '1 000 kr', '1.000 SEK', { translate: 'no' }],
    [german, 'make an offer', 'make an offer', { lang: 'en' }],
    [english, 'make an offer', 'make an offer', { lang: 'en' }],
    [german, undefined, undefined, { translate: 'no' }],
  ] as const) {
    const shown = priceFor(site, price);
    assert.equal(shown?.text.replace('\u00a0', ' '), text);
    assert.deepEqual(priceAttributes(shown), attributes);
  }
});
