import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type ParsedMail, simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { LANGUAGES } from '../../../src/i18n/languages.ts';
import { HOSTILE_TEXTS } from '../../../tests/abuse/hostile-texts.ts';
import { composeMail } from './compose-mail.ts';
import { CONFIRMATION_TEXTS } from './confirmation-texts.ts';
import { BATCH, DELIVERY, MAIL, OFFER, SITE_URL } from './delivery.fixture.ts';
import type { Delivery, MessageOffer } from './delivery.ts';

const transport = createTransport({ streamTransport: true, buffer: true });

async function mailOf(change: Partial<Delivery> = {}, language = 'en', mail = MAIL) {
  const composed = composeMail({ ...DELIVERY, ...change }, { mail, siteUrl: SITE_URL, language });
  const { message } = await transport.sendMail(composed);
  const raw = String(message);
  return { raw, ...(await simpleParser(raw)) };
}

const withOffer = (change: Partial<MessageOffer>) => ({ offers: [{ ...OFFER, ...change }] });
const addresses = (field: ParsedMail['from'] | ParsedMail['to']) =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address));
const tagsOf = (html: string | false | undefined) => (html || '').match(/<[^>]*>?/g);
/** Without what differs from one mail to the next by itself. */
const headersOf = ({ headerLines }: ParsedMail) =>
  headerLines.filter(({ key }) => !['content-type', 'date'].includes(key)).map(({ key }) => key);

test('a mail to the owner names domain, amount and customer, and a reply goes to the customer', async () => {
  const mail = await mailOf();
  assert.equal(mail.subject, 'Offer for lap.app: $12,000');
  assert.equal(mail.from?.text, '"Domains" <offers@mail.example>');
  assert.deepEqual(addresses(mail.to), ['owner@example.com']);
  assert.deepEqual(mail.replyTo?.value, [{ address: 'Ada@example.com', name: 'Ada Lovelace' }]);
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
  assert.equal(mail.messageId, `<offer.${OFFER.id}@mail.example>`);
  const url = `${SITE_URL}/admin/dashboard#offer=${OFFER.id}`;
  assert.equal(
    mail.text,
    `Domain: lap.app\nOffer:  $12,000\nName:   Ada Lovelace\nEmail:  Ada@example.com\nTime:   2026-11-23 05:18 UTC\n${url}\n`,
  );
  assert.ok(String(mail.html).includes(`<a href="${url}">`));
  assert.ok(String(mail.html).includes('<bdi>$12,000</bdi>'));
});

test('mails have the colours of the pages, in light and dark, and load nothing', async () => {
  const tokens = await readFile('src/styles/tokens.css', 'utf8');
  for (const kind of ['offer', 'overdue', 'confirmation'] as const) {
    const html = String((await mailOf({ kind, target: 'mailto:ada@example.com' })).html);
    const colours = new Set(html.match(/#[\da-f]{6}\b/g));
    assert.ok(colours.size > 6, kind);
    for (const colour of colours) assert.ok(tokens.includes(colour), `${kind}: ${colour}`);
    assert.doesNotMatch(html, /<img|<link|url\(|@import|src=/i, kind);
  }
});

test('hostile texts change no header and no markup', async () => {
  const plain = await mailOf();
  const texts = [
    ...HOSTILE_TEXTS,
    'a\r\nBcc: evil@example.com\r\n\r\n<b>body</b>',
    'a\nX-Evil: 1',
    'a, evil@example.com',
    '"Ada" <evil@example.com>',
    '=?utf-8?q?=0D=0ABcc=3A_evil=40example=2Ecom?=',
    '</bdi></td></table><a href="https://evil.example">x</a>',
    `x`.repeat(500),
  ];
  for (const hostile of texts) {
    const mail = await mailOf(withOffer({ offer_amount: hostile, customer_name: hostile }));
    assert.deepEqual(headersOf(mail), headersOf(plain), hostile);
    assert.deepEqual(tagsOf(mail.html), tagsOf(plain.html), hostile);
    assert.deepEqual(addresses(mail.from), ['offers@mail.example'], hostile);
    assert.deepEqual(addresses(mail.to), ['owner@example.com'], hostile);
    assert.deepEqual(addresses(mail.replyTo), ['Ada@example.com'], hostile);
    assert.equal(mail.messageId, plain.messageId);
    assert.ok(mail.subject?.startsWith('Offer for lap.app: '), hostile);
    assert.ok(Array.from(mail.subject ?? '').length <= 'Offer for lap.app: '.length + 80, hostile);
    assert.equal(mail.text?.split('\n').length, plain.text?.split('\n').length, hostile);
    assert.equal(mail.attachments.length, 0);
  }
});

test('the name of the reply is one line without control characters and directions', async () => {
  const mail = await mailOf(withOffer({ customer_name: 'Ada\n\u0007\u2028Love\u202elace\u2066' }));
  assert.deepEqual(mail.replyTo?.value, [{ address: 'Ada@example.com', name: 'Ada Lovelace' }]);
});

test('hostile email addresses that the form accepts stay the one address of the reply', async () => {
  for (const customer_email of [
    "o'brien@example.com",
    "a!#$%&'*+/=?^_`{|}~-b@example.com",
    '__proto__@example.com',
    'undisclosed-recipients@example.com',
  ]) {
    const mail = await mailOf(withOffer({ customer_email }));
    assert.deepEqual(addresses(mail.replyTo), [customer_email]);
  }
});

test('the owner reads what was typed', async () => {
  const typed = ' Ａｄａ <b>&amp; "İıſK" 👩‍👩‍👧‍👦 مرحبا';
  const { text, html } = await mailOf(withOffer({ offer_amount: typed }));
  assert.ok(text?.includes(`Offer:  ${typed.trim()}\n`));
  const escaped = 'Ａｄａ &#60;b&#62;&#38;amp; &#34;İıſK&#34; 👩‍👩‍👧‍👦 مرحبا';
  assert.ok(String(html).includes(escaped), String(html));
});

test('a mail quotes each line of the customer’s message, and none passes for a line of the mail', async () => {
  const message = 'Hello,\n\nOffer:  $1,000,000\n> quoted <b>\u202e\u2028</td>';
  const mail = await mailOf(withOffer({ message }));
  assert.ok(
    mail.text?.endsWith(
      `#offer=${OFFER.id}\nMessage:\n> Hello,\n> \n> Offer:  $1,000,000\n> > quoted <b> </td>\n`,
    ),
    mail.text,
  );
  assert.ok(
    String(mail.html).includes(
      '<bdi>Hello,</bdi><br><bdi></bdi><br><bdi>Offer:  $1,000,000</bdi><br><bdi>&#62; quoted &#60;b&#62; &#60;/td&#62;</bdi>',
    ),
    String(mail.html),
  );
  const long = '😀'.repeat(1000);
  assert.ok((await mailOf(withOffer({ message: long }))).text?.includes(long));
  const plain = await mailOf(withOffer({ message: 'plain' }));
  for (const hostile of HOSTILE_TEXTS) {
    const other = await mailOf(withOffer({ message: hostile.replaceAll('\n', ' ') }));
    assert.deepEqual(headersOf(other), headersOf(plain), hostile);
    if (hostile.trim()) assert.deepEqual(tagsOf(other.html), tagsOf(plain.html), hostile);
  }
});

test('a digest holds every offer, has no Reply-To, and keeps its Message-ID', async () => {
  const offers = [OFFER, { ...OFFER, domain_name: 'sample.app' }];
  const mail = await mailOf({ ids: [1, 2], batch: BATCH, offers });
  assert.equal(mail.subject, '2 offers');
  assert.equal(mail.messageId, `<digest.${BATCH}@mail.example>`);
  assert.equal(mail.replyTo, undefined);
  assert.match(mail.text ?? '', /lap\.app[\s\S]*sample\.app/);
  const held = await mailOf({ batch: BATCH, offers: [{ ...OFFER, held: true }] });
  assert.equal(held.subject, '1 offer, held for review');
  assert.match(held.text ?? '', /^Held for review/);
});

test('an offer without a status after 20 hours is named as such, alone and in a digest', async () => {
  const mail = await mailOf({ kind: 'overdue' });
  assert.equal(mail.subject, 'Still pending: offer for lap.app: $12,000');
  assert.equal(mail.messageId, `<overdue.${OFFER.id}@mail.example>`);
  assert.match(mail.text ?? '', /^Pending for more than 20 hours/);
  const summary = await mailOf({
    ids: Array.from({ length: 1_200 }, (_, id) => id),
    kind: 'overdue',
    batch: BATCH,
    offers: [OFFER, OFFER],
  });
  assert.equal(summary.subject, 'Still pending: 1,200 offers');
  assert.match(summary.text ?? '', /The oldest 2 are listed here\./);
});

test('a confirmation holds nothing that the visitor typed', async () => {
  const target = 'mailto:ada@example.com';
  for (const hostile of [...HOSTILE_TEXTS.filter((text) => text.length > 5), 'A very rare name']) {
    const offer = { offer_amount: hostile, customer_name: hostile };
    const mail = await mailOf({ kind: 'confirmation', target, ...withOffer(offer) });
    assert.ok(![mail.subject, mail.text, mail.html].join('\n').includes(hostile), hostile);
  }
  const mail = await mailOf({ kind: 'confirmation', target });
  assert.deepEqual(addresses(mail.to), ['ada@example.com']);
  assert.equal(mail.replyTo, undefined);
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
  assert.equal(mail.messageId, `<confirmation.${OFFER.id}@mail.example>`);
  assert.equal(mail.subject, 'Your offer for lap.app has arrived');
  assert.match(
    mail.text ?? '',
    /arrived on November 23, 2026 at 5:18:09\sAM UTC\.\n\nWe'll get back to you within 24 hours\./,
  );
});

test('a confirmation is in the language of the page, else of the catalogue, else English', async () => {
  const subjectOf = async (locale: string | null, language: string) => {
    const { subject, headers } = await mailOf({ kind: 'confirmation', locale }, language);
    return `${headers.get('content-language')}: ${subject}`;
  };
  const en = 'en: Your offer for lap.app has arrived';
  const de = 'de: Ihr Angebot für lap.app ist angekommen';
  assert.equal(await subjectOf('de', 'en'), de);
  assert.equal(await subjectOf(null, 'de'), de);
  assert.equal(await subjectOf('en', 'de'), en);
  assert.equal(await subjectOf('constructor', 'xx'), en);
});

test('there is a confirmation in every language of the site', () => {
  assert.deepEqual(Object.keys(CONFIRMATION_TEXTS).sort(), LANGUAGES.toSorted());
});
