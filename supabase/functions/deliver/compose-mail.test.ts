import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type ParsedMail, simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { LANGUAGES, messagesOf } from '../../../src/i18n/languages.ts';
import { HOSTILE_TEXTS } from '../../../tests/abuse/hostile-texts.ts';
import fc from '../../../tests/support/fast-check.ts';
import { readAmount } from '../_shared/contract/price-of.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { composeMail } from './compose-mail.ts';
import { CONFIRMATION_TEXTS } from './confirmation-texts.ts';
import { BATCH, DELIVERY, MAIL, OFFER, SITE_URL } from './delivery.fixture.ts';
import type { Delivery, MessageOffer } from './delivery.ts';
import { webhookRequest } from './webhook-request.ts';

const LINK = 'https://lap.app/offer/#0123456789abcdeffedcba9876543210';
const CODE_LINE =
  'The link does not work? Open https://lap.app/offer/ and type the code 014D-2PF2-DBSQ-QZXQ-5TK1-V58C-GGT';

const transport = createTransport({ streamTransport: true, buffer: true });

async function mailOf(change: Partial<Delivery> = {}, language = 'en', mail = MAIL) {
  const composed = composeMail({ ...DELIVERY, ...change }, { mail, siteUrl: SITE_URL, language });
  const { message } = await transport.sendMail(composed);
  const raw = String(message);
  return { raw, ...(await simpleParser(raw)) };
}

const AT = '2026-11-24T14:47:00+00:00';

/** An amount with what is stored beside it. */
function stored(amount: string) {
  const price = readAmount(amount);
  return { amount, ...(price && { value: Number(price.amount), currency: price.currency }) };
}
const READ = { value: 12_000, currency: 'USD' };
const withOffer = (change: Partial<MessageOffer>) => ({ offers: [{ ...OFFER, ...change }] });
/** With the usual space where the formats of times and amounts have another one. */
const plain = (text = '') => text.replace(/[\u202f\u00a0]/g, ' ');
const addresses = (field: ParsedMail['from'] | ParsedMail['to']) =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address));
const tagsOf = (html: string | false | undefined) => (html || '').match(/<[^>]*>?/g);
/** Without what differs from one mail to the next by itself. */
const headersOf = ({ headerLines }: ParsedMail) =>
  headerLines.filter(({ key }) => !['content-type', 'date'].includes(key)).map(({ key }) => key);

test('a mail to the owner has the amount as subject and headline, its share of the asking price, and two buttons', async () => {
  const mail = await mailOf(withOffer({ ...READ, asking_price: '$15,000', message: 'Hello.' }));
  assert.equal(mail.subject, '$12,000 for lap.app');
  assert.equal(mail.from?.text, '"Domains" <offers@mail.example>');
  assert.deepEqual(addresses(mail.to), ['owner@example.com']);
  assert.deepEqual(mail.replyTo?.value, [{ address: 'Ada@example.com', name: 'Ada Lovelace' }]);
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
  assert.equal(mail.messageId, `<offer.${OFFER.id}@mail.example>`);
  const url = `${SITE_URL}/admin/dashboard#offer=${OFFER.id}`;
  assert.equal(
    plain(mail.text),
    `$12,000 for lap.app.

80 % of your asking price ($15,000).

Message:
> Hello.

From: Ada Lovelace, Ada@example.com

Answer the offer:
${url}

Your page promises an answer by Nov 24, 2026, 5:18 AM UTC.

Time: Nov 23, 2026, 5:18 AM UTC

Nothing is accepted or sent by opening a link of this mail.
`,
  );
  for (const part of [
    '<h1 class="amount"><bdi translate="no">$12,000</bdi> for lap.app</h1>',
    '<td width="80%"></td><td></td>',
    '<a href="mailto:Ada@example.com"><bdi>Ada@example.com</bdi></a>',
    `<a href="${url}">Answer the offer</a>`,
    '<a class="second" href="mailto:Ada@example.com?subject=Your%20offer%20for%20lap.app">Reply to <bdi>Ada Lovelace</bdi></a>',
  ])
    assert.ok(String(mail.html).includes(part), part);
});

test('a mail to the owner has the share of the asking price in words, and what was typed where that differs', async () => {
  const textOf = async (amount: string, asking_price: string) => {
    const { amount: offer_amount, ...read } = stored(amount);
    return plain((await mailOf(withOffer({ offer_amount, ...read, asking_price }))).text);
  };
  for (const [amount, asking, expected] of [
    ['$15,000', '$15,000', /^\$15,000 for lap\.app\.\n\nYour asking price \(\$15,000\)\.\n/],
    ['$16,000', '$15,000', /^More than your asking price \(\$15,000\)\.$/m],
    ['$1', '$15,000', /^under 1 % of your asking price \(\$15,000\)\.$/m],
    ['14999.99 usd', '$15,000', /^\$14,999\.99 for [\s\S]*^99 % of [\s\S]*^Offer: 14999\.99 usd$/m],
    ['12.000 €', '$15,000', /^€12,000 for [\s\S]*^Offer: 12\.000 €\nAsking: \$15,000$/m],
    ['$0', '$15,000', /^New offer for lap\.app\.[\s\S]*^Offer: \$0\nAsking: \$15,000$/m],
    ['ask me', '$15,000', /^New offer for lap\.app\.[\s\S]*^Offer: ask me\nAsking: \$15,000$/m],
  ] as const)
    assert.match(await textOf(amount, asking), expected);
  const { html } = await mailOf(
    withOffer({ value: 16_000, currency: 'USD', offer_amount: '$16,000', asking_price: '$15,000' }),
  );
  assert.ok(String(html).includes('<td width="100%"></td></tr>'), 'the bar ends at the asking price');
});

test('an amount that is not clear is the large one of the facts in a mail to the owner', async () => {
  const { html } = await mailOf(withOffer({ offer_amount: 'ask me', asking_price: '$15,000' }));
  const large = String(html).match(/<th[^>]*>[^<]*<\/th><td class="large">.*?<\/td>/g);
  assert.deepEqual(
    large?.map((row) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .trim()
        .split(/\s{2,}/),
    ),
    [['Offer', 'ask me']],
  );
});

test('a mail’s button and links have the owner’s accent colour', async () => {
  const accent = { light: '#8a3b12', onLight: '#ffffff', dark: '#f3b48b', onDark: '#131318' };
  const mail = { mail: MAIL, siteUrl: SITE_URL, language: 'en' };
  const html = String(composeMail(DELIVERY, { ...mail, settings: { accent } }).html);
  assert.match(html, /background: #8a3b12; color: #ffffff;[\s\S]*background: #f3b48b; color: #131318;/);
  assert.doesNotMatch(html, /#2a23e0|#a2abff/);
  assert.match(String(composeMail(DELIVERY, mail).html), /background: #2a23e0; color: #fff;/);
});

test('a mail to the owner has the asking price and the language of the page where they are known', async () => {
  const known = await mailOf(withOffer({ asking_price: '$15,000 <or best>', language: 'de' }));
  assert.doesNotMatch(known.text ?? '', /Message/, 'there is none');
  assert.match(known.text ?? '', /^Offer: \$12,000\nAsking: \$15,000 <or best>\nLanguage: German\nTime: /m);
  assert.ok(String(known.html).includes('<bdi>$15,000 &lt;or best&gt;</bdi>'));
  // A code that a visitor made up.
  for (const language of ['zz', 'en-a', 'constructor'])
    assert.doesNotMatch((await mailOf(withOffer({ language }))).text ?? '', /Language/, language);
});

test('a field that an offer from before it has empty is in neither mail nor text of a webhook', async () => {
  const change = withOffer({ customer_name: '' });
  const { text = '', html } = await mailOf(change);
  assert.match(text, /^From: Ada@example.com$/m);
  assert.ok(String(html).includes('>Reply to <bdi>Ada@example.com</bdi></a>'));
  const { body } = webhookRequest({ ...DELIVERY, ...change }, { siteUrl: SITE_URL, secret: undefined });
  assert.match(JSON.parse(body).text, /: \$12,000\nAda@example.com\nhttps:/);
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
    assert.equal(mail.subject, 'New offer for lap.app', hostile);
    assert.equal(mail.text?.split('\n').length, plain.text?.split('\n').length, hostile);
    assert.equal(mail.attachments.length, 0);
  }
});

test('encoded words that a visitor typed are not decoded, and stand in no subject', async () => {
  const word = '=?utf-8?B?DQpCY2M6IHhAeS56?=';
  const kinds: [typed: string, inSubject: string][] = [
    [word, 'A visitor'],
    [`Ada ${word} L.`, 'Ada L.'],
    [`=\u200e?utf-8?B?DQpCY2M6IHhAeS56?=`, 'A visitor'],
    [`é ${word}`, 'é'],
    // One inside another, and one that does not end.
    ['=?utf-8=?a?q?b?=?B?DQpCY2M6?=', '= ?utf-8 ?B?DQpCY2M6?='],
    ['Ada =?utf-8?B?DQpCY2M6', 'Ada = ?utf-8?B?DQpCY2M6'],
  ];
  for (const [typed, inSubject] of kinds) {
    const move = { number: 2, side: 'buyer' as const, kind: 'withdraw', at: AT };
    const texts = { offer_amount: typed, customer_name: typed };
    const mail = await mailOf({ kind: 'move', ...withOffer({ ...texts, move }) });
    assert.equal(mail.subject, `${inSubject} withdrew the offer for lap.app`);
    assert.match(mail.replyTo?.text ?? '', /= \?utf-8/);
    const headers = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'));
    // nodemailer's own encoded words are the other ones.
    assert.doesNotMatch(headers, /=\?utf-8\?[bq]\?(?:DQpCY2M6|=0D=0ABcc)/i);
    assert.ok(mail.text?.includes('\nFrom: '), typed);
  }
  // An address cannot be changed, so there is none to reply to.
  const { replyTo, html } = await mailOf(withOffer({ customer_email: `${word}@example.com` }));
  assert.equal(replyTo, undefined);
  assert.doesNotMatch(String(html), /class="second"/);
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
  assert.ok(text?.includes(`Offer: ${typed.trim()}\n`));
  const escaped = 'Ａｄａ &lt;b&gt;&amp;amp; &quot;İıſK&quot; 👩‍👩‍👧‍👦 مرحبا';
  assert.ok(String(html).includes(escaped), String(html));
});

test('a mail quotes each line of the customer’s message, and none passes for a line of the mail', async () => {
  const message = 'Hello,\n\nOffer:  $1,000,000\n> quoted <b>\u202e\u2028</td>';
  const mail = await mailOf(withOffer({ message }));
  assert.ok(
    mail.text?.includes('\n\nMessage:\n> Hello,\n> \n> Offer:  $1,000,000\n> > quoted <b> </td>\n\nFrom: '),
    mail.text,
  );
  assert.ok(
    String(mail.html).includes(
      '<bdi>Hello,</bdi><br><bdi></bdi><br><bdi>Offer:  $1,000,000</bdi><br><bdi>&gt; quoted &lt;b&gt; &lt;/td&gt;</bdi>',
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
  assert.equal(mail.subject, '2 new offers');
  assert.equal(mail.messageId, `<digest.${BATCH}@mail.example>`);
  assert.equal(mail.replyTo, undefined);
  assert.match(mail.text ?? '', /lap\.app[\s\S]*sample\.app/);
  const held = await mailOf({ batch: BATCH, offers: [{ ...OFFER, held: true }] });
  assert.equal(held.subject, '1 offer, held for review');
  assert.match(held.text ?? '', /^Held for review/m);
  const mixed = await mailOf({ ids: [1, 2], batch: BATCH, offers: [OFFER, { ...OFFER, held: true }] });
  assert.equal(mixed.subject, '2 new offers');
  assert.doesNotMatch(mixed.text ?? '', /Held for review/);
  const low = await mailOf({ kind: 'low', batch: BATCH, ids: [1, 2, 3], offers: [OFFER, OFFER] });
  assert.equal(low.subject, '3 offers below your minimum');
  assert.match(low.text ?? '', /^Low: .* The oldest 2 are listed here\./m);
});

test('a digest says of each offer who made it, when and with what message', async () => {
  const offer = {
    asking_price: '$15,000',
    language: 'de',
    message: 'For a shop.',
    current_amount: '$13,000',
  };
  const { text } = await mailOf({ kind: 'overdue', batch: BATCH, ...withOffer(offer) });
  assert.equal(
    plain(text),
    `Still pending: 1 offer.

Pending for more than 20 hours. Your page promises an answer within 24 hours.

Domain: lap.app
Offer: $13,000
First offer: $12,000
Asking: $15,000
Name: Ada Lovelace
Email: Ada@example.com
Language: German
Time: Nov 23, 2026, 5:18 AM UTC
Answer by: Nov 24, 2026, 5:18 AM UTC

Message:
> For a shop.

Open in the dashboard:
${SITE_URL}/admin/dashboard#offer=${OFFER.id}
`,
  );
});

test('an offer without a status after 20 hours is named as such, alone and in a digest', async () => {
  const mail = await mailOf({ kind: 'overdue' });
  assert.equal(mail.subject, 'Still pending: offer for lap.app');
  assert.equal(
    (await mailOf({ kind: 'overdue', ...withOffer(READ) })).subject,
    'Still pending: $12,000 for lap.app',
  );
  assert.equal(mail.messageId, `<overdue.${OFFER.id}@mail.example>`);
  assert.match(mail.text ?? '', /^Pending for more than 20 hours/m);
  const later = { ...READ, current_amount: '$7,500', asking_price: '$15,000' };
  const text = plain((await mailOf({ kind: 'overdue', ...withOffer(later) })).text);
  assert.match(text, /^Still pending: \$7,500 for lap\.app\.$/m, 'the buyer made another offer');
  assert.match(text, /^50 % of your asking price \(\$15,000\)\.$[\s\S]*^First offer: \$12,000$/m);
  const summary = await mailOf({
    ids: Array.from({ length: 1_200 }, (_, id) => id),
    kind: 'overdue',
    batch: BATCH,
    offers: [OFFER, OFFER],
  });
  assert.equal(summary.subject, 'Still pending: 1,200 offers');
  assert.match(summary.text ?? '', /The oldest 2 are listed here\./);
});

test('a reminder names the time of the catalogue, and how long the offer has been pending', async () => {
  for (const [replyWithin, lead] of [
    [undefined, 'Pending for more than 20 hours. Your page promises an answer within 24 hours.'],
    ['3 days', 'Pending for more than 60 hours. Your page promises an answer within 3 days.'],
    ['1 hour', 'Pending for more than 50 minutes. Your page promises an answer within 1 hour.'],
  ]) {
    const overdue = { ...DELIVERY, kind: 'overdue' } as const;
    const site = { siteUrl: SITE_URL, language: 'en', settings: { replyWithin } };
    const mail = composeMail(overdue, { mail: MAIL, ...site });
    assert.ok(String(mail.text).includes(`\n\n${lead}\n\n`), String(mail.text));
    assert.ok(String(mail.html).includes(`<p>${lead}</p>`), replyWithin);
    const { text } = JSON.parse(webhookRequest(overdue, { ...site, secret: undefined }).body);
    assert.ok(text.startsWith(`Offer still pending\n${lead}\n`), text);
  }
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
  assert.deepEqual(addresses(mail.replyTo), ['owner@example.com']);
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
  assert.equal(mail.messageId, `<confirmation.${OFFER.id}@mail.example>`);
  assert.equal(mail.subject, 'Your offer for lap.app has arrived');
  assert.match(
    mail.text ?? '',
    /^Your offer for lap\.app arrived on Nov 23, 2026, 5:18\sAM UTC\.\n\nWe'll get back to you within 24 hours\.\n\nIf you made no offer, please ignore this message\.\n$/,
  );
});

const SELLER = {
  owner: 'Ada <Example>',
  contact: 'ada@ada.example',
  links: [
    { text: 'Imprint', url: 'https://ada.example/imprint?a="b"&c' },
    { text: '+1 555 0100', url: 'tel:+1-555-0100' },
  ],
  languages: ['en', 'de'],
  replyWithin: '3 days',
};

/** A confirmation as it is sent, with settings of the catalogue. */
async function confirmationOf(settings: PublishedSettings, change: Partial<Delivery> = {}, mail = MAIL) {
  const confirmation = {
    ...DELIVERY,
    kind: 'confirmation',
    target: 'mailto:bea@buyer.example',
    ...change,
  } as const;
  const { message } = await transport.sendMail(
    composeMail(confirmation, { mail, siteUrl: SITE_URL, language: 'en', settings }),
  );
  return await simpleParser(String(message));
}

test('a confirmation names the seller, links the domain’s page, and a reply goes to the seller', async () => {
  const { text, html, replyTo } = await confirmationOf(SELLER);
  assert.deepEqual(addresses(replyTo), ['ada@ada.example']);
  assert.equal(
    plain(text),
    `Your offer for lap.app has arrived.

Thank you. We'll get back to you within 3 days.

Domain: https://lap.app/
Seller: Ada <Example>
Arrived: Nov 23, 2026, 5:18 AM UTC
Answer by: Nov 26, 2026, 5:18 AM UTC

Questions? Reply to this message: it goes to the seller. We will never ask for a password.

Ada <Example>
ada@ada.example
Imprint: https://ada.example/imprint?a="b"&c
+1 555 0100

You get this message because an offer for lap.app was made with your address. If you made no offer, please ignore this message.
`,
  );
  for (const part of [
    '<td><a href="https://lap.app/"><bdi>lap.app</bdi></a></td>',
    '<td><bdi>Ada &lt;Example&gt;</bdi></td>',
    '<a href="mailto:ada@ada.example"><bdi>ada@ada.example</bdi></a>',
    '<a href="https://ada.example/imprint?a=&quot;b&quot;&amp;c"><bdi>Imprint</bdi></a>',
    '<a href="tel:+1-555-0100"><bdi>+1 555 0100</bdi></a>',
  ]) {
    assert.ok(String(html).includes(part), part);
  }
});

test('a confirmation has the link to its offer with its code, in the language of the page', async () => {
  const link = (settings: PublishedSettings, locale: string) =>
    composeMail(
      { ...DELIVERY, kind: 'confirmation', target: 'mailto:bea@buyer.example', locale },
      { mail: MAIL, siteUrl: SITE_URL, language: 'en', settings, linkOf: () => LINK },
    );
  for (const settings of [{}, SELLER]) {
    const { text, html } = link(settings, 'en');
    assert.ok(
      String(text).includes(
        `See your offer:\n${LINK}\n\nThere you can see where it stands, make another offer or withdraw. Opening the page changes nothing. The link is for you alone: with it, others could answer for you.\n`,
      ),
      String(text),
    );
    assert.ok(String(text).includes(`\n\n${CODE_LINE}\n`));
    assert.ok(String(html).includes(`<a href="${LINK}">See your offer</a>`));
    assert.ok(
      String(html).includes(
        '<p>The link does not work? Open <a href="https://lap.app/offer/">lap.app/offer</a> and type the code <code translate="no">014D-2PF2-DBSQ-QZXQ-5TK1-V58C-GGT</code></p>',
      ),
      String(html),
    );
    const german = String(link(settings, 'de').text);
    assert.match(
      german,
      /^Ihr Angebot ansehen:\n[\s\S]*^Der Link geht nicht\? Öffnen Sie .* den Code 014D-/m,
    );
  }
  assert.doesNotMatch((await confirmationOf(SELLER)).text ?? '', /See your offer|code/);
});

test('the texts of links are in the language of the page, else of the first of the site that has one', async () => {
  const links = [
    { text: { en: 'Imprint', de: 'Impressum' }, url: 'https://ada.example/imprint' },
    { text: { en: 'Terms' }, url: 'https://ada.example/terms' },
    { text: 'Datenschutz', url: 'https://ada.example/privacy' },
  ];
  const namesOf = async (locale: string, languages: string[]) => {
    const { text = '' } = await confirmationOf({ links, languages }, { locale });
    return [...text.matchAll(/^(.*): https:\/\/ada/gm)].map(([, name]) => name);
  };
  assert.deepEqual(await namesOf('de', ['en', 'de']), ['Impressum', 'Terms', 'Datenschutz']);
  assert.deepEqual(await namesOf('en', ['de', 'en']), ['Imprint', 'Terms', 'Datenschutz']);
});

test('a confirmation in German links the page in German, where the site has one', async () => {
  const german = await confirmationOf(SELLER, { locale: 'de' });
  assert.match(german.text ?? '', /^Domain: https:\/\/lap\.app\/de\/\nVerkäufer: Ada <Example>\n/m);
  assert.match(german.text ?? '', /^Angekommen: 23\. Nov\. 2026, 05:18 UTC\nAntwort bis: 26\. Nov\./m);
  for (const languages of [['de', 'en'], ['en'], undefined]) {
    const { text } = await confirmationOf({ ...SELLER, languages }, { locale: 'de' });
    assert.match(text ?? '', /^Domain: https:\/\/lap\.app\/$/m, String(languages));
  }
});

test('a setting that is missing leaves no line, and without a contact a reply goes to the owner', async () => {
  const links = await confirmationOf({ links: SELLER.links });
  assert.doesNotMatch(links.text ?? '', /Seller|ada@ada|undefined/);
  assert.deepEqual(addresses(links.replyTo), ['owner@example.com']);
  const owner = await confirmationOf({ owner: 'Ada' }, {}, { ...MAIL, to: [] });
  assert.match(owner.text ?? '', /^Seller: Ada$/m);
  assert.equal(owner.replyTo, undefined);
  assert.doesNotMatch(owner.text ?? '', /Questions|undefined/);
});

test('a confirmation with a seller holds nothing that the visitor typed, either', async () => {
  const plain = await confirmationOf(SELLER);
  const bodyOf = ({ subject, text, html }: ParsedMail) => [subject, text, html];
  for (const hostile of HOSTILE_TEXTS) {
    const typed = { offer_amount: hostile, customer_name: hostile, message: hostile, language: hostile };
    const mail = await confirmationOf(SELLER, { ...withOffer(typed), locale: hostile });
    assert.deepEqual(bodyOf(mail), bodyOf(plain), hostile);
    assert.deepEqual(headersOf(mail), headersOf(plain), hostile);
  }
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

test('a confirmation promises the time of the catalogue, in its language', async () => {
  const promiseOf = async (locale: string, replyWithin: string) => {
    const confirmation = { ...DELIVERY, kind: 'confirmation', locale } as const;
    const site = { siteUrl: SITE_URL, language: 'en', settings: { replyWithin } };
    return String(composeMail(confirmation, { mail: MAIL, ...site }).text);
  };
  assert.match(await promiseOf('en', '3 days'), /We'll get back to you within 3 days\./);
  assert.match(await promiseOf('de', '3 days'), /Wir melden uns innerhalb von 3 Tagen bei Ihnen\./);
});

test('a confirmation of a low offer says what the page says, and promises no answer', async () => {
  for (const locale of LANGUAGES) {
    for (const settings of [{}, SELLER]) {
      const mailFor = (low: boolean) => confirmationOf(settings, { locale, ...withOffer({ low }) });
      const { promise, labels } = CONFIRMATION_TEXTS[locale];
      const promised = new RegExp(`${promise.split('{')[0]}|${labels.answerBy}`);
      const [low, other] = [await mailFor(true), await mailFor(false)];
      for (const body of [low.text, low.html]) {
        assert.ok(String(body).includes(messagesOf(locale).lowOffer), String(body));
        assert.doesNotMatch(String(body), promised);
      }
      assert.match(String(other.text), promised);
      assert.ok(!String(other.text).includes(messagesOf(locale).lowOffer));
    }
  }
});

test('there is a confirmation in every language of the site', () => {
  assert.deepEqual(Object.keys(CONFIRMATION_TEXTS).sort(), LANGUAGES.toSorted());
});

test('a mail about a counter-offer has nothing of the form, and a decline the link to read it', () => {
  const offer = { ...OFFER, move: { number: 2, kind: 'counter', ...stored('$4,300'), note: 'Escrow.' } };
  const replyOf = (move: MessageOffer['move'], locale = 'de') =>
    composeMail(
      { ...DELIVERY, kind: 'reply', target: 'mailto:ada@example.com', locale, offers: [{ ...offer, move }] },
      { mail: MAIL, siteUrl: SITE_URL, language: 'en', linkOf: () => LINK },
    );
  const counter = replyOf(offer.move);
  assert.equal(counter.subject, 'Gegenangebot für lap.app');
  assert.match(
    String(counter.text),
    /^Betrag: 4\.300\s\$$[\s\S]*> Escrow\.[\s\S]*https:\/\/lap\.app\/offer\/#0123/m,
  );
  assert.match(String(counter.html), /<bdi translate="no">4\.300\s\$<\/bdi>/);
  assert.doesNotMatch(`${counter.text}${counter.html}`, /Lovelace|12,000|Gültig bis/);
  const choices =
    /^Dort können Sie annehmen, ein anderes Angebot machen oder zurückziehen\. Das Öffnen der Seite ändert nichts\./m;
  assert.match(String(counter.text), choices);
  const dated = replyOf({ ...offer.move, valid_until: '2026-12-01T12:00:00+00:00' });
  assert.match(String(dated.text), /^Gültig bis 1\. Dez\. 2026, 12:00 UTC$/m);
  const open = String(replyOf({ number: 4, kind: 'take_back' }).text);
  assert.match(open, /^Die Annahme [\s\S]*^Das Öffnen der Seite ändert nichts\./m);
  assert.equal(counter.messageId, `<reply.${OFFER.id}.2@mail.example>`);
  const { text } = replyOf({ number: 3, kind: 'decline' }, 'en');
  assert.equal(
    text,
    `Your offer for lap.app is declined.

See the offer:
${LINK}

With the link you can read this for 14 days. It is for you alone.

${CODE_LINE}

You get this message because an offer for lap.app was made with your address. If you made no offer, please ignore it.
`,
  );
});

test('the mail about an acceptance says what was agreed, when, and what to do next', async () => {
  const move = {
    number: 3,
    side: 'buyer' as const,
    kind: 'accept',
    ...stored('$14,000'),
    note: 'Thanks.',
    at: AT,
  };
  const mail = await mailOf({ kind: 'move', ...withOffer({ move }) });
  assert.equal(mail.subject, 'Agreed: $14,000 for lap.app');
  assert.equal(
    plain(mail.text),
    `Agreed: $14,000 for lap.app.

Note:
> Thanks.

From: Ada Lovelace, Ada@example.com

What to do next:
1. Reserve the name on the server, so that it takes no other offers: npm run catalogue -- reserve lap.app && npm run build
2. Send the buyer an invoice, or open a case at an escrow service.
3. Transfer the name once the money has arrived.

Open in the dashboard:
${SITE_URL}/admin/dashboard#offer=${OFFER.id}

First offer: $12,000
Time: Nov 24, 2026, 2:47 PM UTC
`,
  );
});

test('subjects about moves hold name, verb and domain, or an amount that can be read in one way, and no note', async () => {
  const move = { number: 3, side: 'buyer' as const, amount: '$9,999', note: 'secret', at: AT };
  for (const [kind, of, expected] of [
    ['move', 'offer', 'Ada Lovelace made another offer for lap.app'],
    ['move', 'withdraw', 'Ada Lovelace withdrew the offer for lap.app'],
    ['move', 'of a later version', 'Ada Lovelace made a move for lap.app'],
    ['expired', 'counter', 'Your counter-offer to Ada Lovelace for lap.app has ended'],
    ['silent', 'accept', 'Nothing heard from Ada Lovelace about lap.app for 7 days'],
  ] as const) {
    const { subject, text } = await mailOf({ kind, ...withOffer({ move: { ...move, kind: of } }) });
    assert.equal(subject, expected);
    assert.match(text ?? '', /\$9,999/);
    assert.doesNotMatch(text ?? '', /What to do next/, 'which is for an acceptance by the buyer');
    const isOpen = of === 'offer' || kind === 'expired';
    assert.match(text ?? '', isOpen ? /^Answer the offer:$/m : /^Open in the dashboard:$/m);
  }
  for (const [kind, expected] of [
    ['offer', 'Another offer: $9,999 for lap.app'],
    ['accept', 'Agreed: $9,999 for lap.app'],
  ] as const)
    assert.equal(
      (await mailOf({ kind: 'move', ...withOffer({ move: { ...move, kind, ...stored('9999 usd') } }) }))
        .subject,
      expected,
    );
});

test('a mail about another offer has the share of the asking price of that one', async () => {
  const move = { number: 3, side: 'buyer' as const, kind: 'offer', ...stored('$7,500'), at: AT };
  const { text } = await mailOf({
    kind: 'move',
    ...withOffer({ ...stored('$3,000'), move, asking_price: '$15,000' }),
  });
  assert.match(text ?? '', /50 % of your asking price/);
});

test('a mail about a move without an amount has the one that was named last', async () => {
  const move = { number: 3, side: 'buyer' as const, kind: 'withdraw', at: AT };
  const offer = { move, current_amount: '$14,000', message: 'For a shop.' };
  const { text } = await mailOf({ kind: 'move', ...withOffer(offer) });
  assert.doesNotMatch(text ?? '', /For a shop/, 'which came with the offer, and is no note');
  assert.match(text ?? '', /^Last amount: \$14,000\nFirst offer: \$12,000$/m);
  assert.match(text ?? '', /^The negotiation is over: there is nothing to do\.$/m);
});

test('the owner reads an agreed amount and an own one written anew, and the buyer’s as typed', async () => {
  const asking_price = '$8,200';
  const typed = { number: 2, ...stored('4100 usd'), at: AT };
  for (const [kind, offer, line] of [
    ['move', { move: { ...typed, kind: 'offer' } }, 'Offer: 4100 usd'],
    ['expired', { move: { ...typed, kind: 'counter' } }, 'Counter-offer: $4,100'],
    ['silent', { move: { ...typed, kind: 'accept' } }, 'Agreed: $4,100'],
    ['unpaid', { deal: { ...typed, reference: 'LAP-7F3K' } }, 'Agreed: $4,100'],
  ] as const) {
    const delivery = { kind, ...withOffer({ ...offer, asking_price }) };
    const text = plain((await mailOf(delivery)).text);
    assert.ok(text.includes(`\n${line}\nFirst offer: $12,000\n`), text);
    assert.ok(text.includes('\n50 % of your asking price ($8,200).\n'), text);
    const { body } = webhookRequest({ ...DELIVERY, ...delivery }, { siteUrl: SITE_URL, secret: undefined });
    assert.ok(JSON.parse(body).text.includes(`lap.app: ${line.split(': ')[1]}\n`));
  }
});

test('a mail about a counter-offer that has ended has its end date, and the owner’s note as such', async () => {
  const move = {
    ...{ number: 2, side: 'owner' as const, kind: 'counter', ...stored('$14,000'), at: AT },
    ...{ note: 'Escrow.', valid_until: '2026-12-01T12:00:00+00:00' },
  };
  assert.equal(
    plain((await mailOf({ kind: 'expired', ...withOffer({ move }) })).text),
    `Your counter-offer to Ada Lovelace for lap.app has ended.

The end date of your counter-offer has passed. The buyer can still make another offer.

From: Ada Lovelace, Ada@example.com

Answer the offer:
${SITE_URL}/admin/dashboard#offer=${OFFER.id}

Counter-offer: $14,000
First offer: $12,000
Time: Nov 24, 2026, 2:47 PM UTC
Ended: Dec 1, 2026, 12:00 PM UTC

Your note:
> Escrow.

Nothing is accepted or sent by opening a link of this mail.
`,
  );
});

test('a mail names the end of the promised time where the page promised an answer, and nowhere else', async () => {
  const end = 'Nov 24, 2026, 5:18 AM UTC';
  const move = { number: 2, side: 'buyer' as const, kind: 'offer', amount: '$13,000', at: AT };
  for (const [change, promised] of [
    [{ kind: 'offer' }, true],
    [{ kind: 'overdue' }, true],
    [{ kind: 'offer', ...withOffer({ held: true }) }, false],
    [{ kind: 'low' }, false],
    [{ kind: 'move', ...withOffer({ move }) }, false],
  ] as const)
    for (const batch of [null, BATCH]) {
      const text = plain((await mailOf({ ...change, batch })).text);
      const line = batch ? `\nAnswer by: ${end}\n` : `\nYour page promises an answer by ${end}.\n`;
      assert.equal(text.includes(promised ? line : end), promised, text);
    }
});

test('the owner reads what happened at a sign-in, and how many messages waited since when for a server', async () => {
  const noticeOf = async (notice: Partial<Delivery>) => {
    const delivery = { ...DELIVERY, ids: [], batch: BATCH, offers: [], ...notice };
    const { subject, text } = await mailOf(delivery);
    const lead = plain(text).split('\n\n')[1];
    const { body } = webhookRequest(delivery, { siteUrl: SITE_URL, secret: undefined });
    assert.equal(plain(JSON.parse(body).text), `${subject}\n${lead?.trim()}`);
    return [subject, lead] as const;
  };
  for (const [kind, what] of [
    ['wrong_codes', 'entered three wrong codes'],
    ['recovery_code', 'signed in with a recovery code'],
  ] as const) {
    const [subject, lead] = await noticeOf({ kind });
    assert.equal(subject, `Sign-in: somebody with your password ${what}`);
    assert.ok(lead?.startsWith(`Somebody with your password for ${SITE_URL}/admin ${what}. If`), lead);
  }
  const problem = 'The mail server x cannot be reached.';
  for (const [waited, messages] of [
    [1, '1 message'],
    [1_200, '1,200 messages'],
  ] as const)
    assert.deepEqual(await noticeOf({ kind: 'recovered', recovery: { problem, since: AT, waited } }), [
      `${messages} waited since Nov 24, 2026, 2:47 PM UTC`,
      `What waited is sent now. Until then: ${problem}\n`,
    ]);
});

test('a name of more than 40 code points is cut in subjects', async () => {
  const move = { number: 3, kind: 'accept', at: AT };
  const subjectOf = async (customer_name: string) =>
    (await mailOf({ kind: 'move', ...withOffer({ move, customer_name }) })).subject;
  const verb = 'accepted your counter-offer for lap.app';
  assert.equal(await subjectOf('😀'.repeat(40)), `${'😀'.repeat(40)} ${verb}`);
  assert.equal(await subjectOf('😀'.repeat(41)), `${'😀'.repeat(39)}… ${verb}`);
});

test('a buyer who accepted gets the link and the owner’s amount, and nothing that anybody typed into a form', async () => {
  const agreedOf = async (locale: string, typed: string) => {
    const move = {
      number: 3,
      side: 'buyer' as const,
      kind: 'accept',
      ...stored('$14,000'),
      note: typed,
      at: AT,
    };
    const offer = { ...OFFER, offer_amount: typed, customer_name: typed, message: typed, move };
    const delivery = { ...DELIVERY, kind: 'reply' as const, target: 'mailto:ada@example.com', locale };
    const { message } = await transport.sendMail(
      composeMail(
        { ...delivery, offers: [offer] },
        { mail: MAIL, siteUrl: SITE_URL, language: 'en', linkOf: () => LINK },
      ),
    );
    return await simpleParser(String(message));
  };
  const agreed = await agreedOf('en', 'typed');
  assert.equal(agreed.subject, 'Agreed: $14,000 for lap.app');
  assert.equal(
    agreed.text,
    `Agreed: $14,000 for lap.app.

See what happens next:
${LINK}

The link is for you alone: with it, others could read what is agreed.

${CODE_LINE}

You get this message because an offer for lap.app was made with your address. If you made no offer, please ignore it.
`,
  );
  assert.equal(agreed.messageId, `<reply.${OFFER.id}.3@mail.example>`);
  const move = { number: 3, side: 'buyer' as const, kind: 'accept', amount: '$5k and a car', at: AT };
  const unclear = await mailOf({ kind: 'reply', ...withOffer({ move }) });
  assert.equal(unclear.subject, 'You accepted the counter-offer for lap.app');
  assert.match(unclear.text ?? '', /^Agreed: \$5k and a car$/m, 'the owner’s, as it was typed');
  assert.match(
    (await agreedOf('de', 'typed')).text ?? '',
    /^Vereinbart: 14\.000\s\$ für lap\.app\.\n\nSo geht es weiter:\n/,
  );
  for (const hostile of HOSTILE_TEXTS) {
    const { subject, text, html, headerLines } = await agreedOf('en', hostile);
    assert.deepEqual([subject, text, html], [agreed.subject, agreed.text, agreed.html], hostile);
    assert.deepEqual(
      headerLines.map(({ key }) => key),
      agreed.headerLines.map(({ key }) => key),
      hostile,
    );
  }
});

test('mails about a move and a payment are in the language of the page, else of the catalogue, else English', () => {
  const move = { number: 2, side: 'owner' as const, kind: 'counter', ...stored('$14,000') };
  for (const [offer, en, de] of [
    [{ move }, 'Counter-offer for', 'Gegenangebot für'],
    [{ deal: DEAL }, 'Reminder: ', 'Erinnerung: '],
  ] as const)
    for (const [locale, language, start] of [
      ['de', 'en', de],
      [null, 'de', de],
      ['xx', 'de', de],
      ['constructor', 'xx', en],
    ] as const) {
      const kind: Delivery['kind'] = 'move' in offer ? 'reply' : 'reminder';
      const delivery = { ...DELIVERY, kind, target: 'mailto:ada@example.com', locale, ...withOffer(offer) };
      const { subject, headers } = composeMail(delivery, { mail: MAIL, siteUrl: SITE_URL, language });
      assert.ok(subject?.startsWith(start), `${locale} ${language}: ${subject}`);
      assert.ok(JSON.stringify(headers).includes(`"Content-Language":"${start === de ? 'de' : 'en'}"`));
    }
});

/** The mail about an acceptance by the owner. @param amount as the buyer typed it */
function acceptanceOf(amount: string, locale = 'en') {
  const move = { number: 2, side: 'owner' as const, kind: 'accept', ...stored(amount), at: AT };
  const { subject, text, html } = composeMail(
    { ...DELIVERY, kind: 'reply', target: 'mailto:ada@example.com', locale, ...withOffer({ move }) },
    { mail: MAIL, siteUrl: SITE_URL, language: 'en', linkOf: () => LINK },
  );
  return { subject: plain(String(subject)), text: plain(String(text)), html: plain(String(html)) };
}

test('an acceptance of the owner names the amount, written anew, in subject, text and HTML', () => {
  for (const [locale, typed, fact, amount] of [
    ['en', 'about 4100 usd', 'Agreed: $4,100 for lap.app', '$4,100'],
    ['de', '4.100,- €', 'Vereinbart: 4.100 € für lap.app', '4.100 €'],
  ] as const) {
    const { subject, text, html } = acceptanceOf(typed, locale);
    assert.equal(subject, fact);
    assert.ok(text.startsWith(`${fact}.\n\n`), text);
    const [before, after] = fact.split(amount);
    assert.ok(
      html.includes(
        `<h1 class="amount">${before}<bdi translate="no">${amount}</bdi><small>${after}</small></h1>`,
      ),
    );
  }
});

test('an acceptance of the owner has nothing else of what the buyer typed', () => {
  const without = acceptanceOf('ask me');
  assert.equal(without.subject, 'Your offer for lap.app is accepted');
  assert.match(without.text, /^Your offer for lap\.app is accepted\.\n\nSee what happens next:\n/);
  for (const hostile of HOSTILE_TEXTS) assert.deepEqual(acceptanceOf(hostile), without, hostile);
  const parts = [
    '$',
    '€',
    'usd',
    'CHF',
    ' ',
    ',',
    '.',
    '1',
    '000',
    '9',
    '-',
    '~',
    'about',
    'k',
    '<b>',
    '@x.example',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (typed) => {
      const { subject } = acceptanceOf(typed.join(''));
      assert.match(
        subject,
        /^(?:Your offer for lap\.app is accepted|Agreed: (?:CHF |[$€])(?:\d,?){1,9}(?:\.\d\d)? for lap\.app)$/,
      );
    }),
  );
});

const DEAL = {
  ...{ number: 1, reference: 'LAP-7F3K', ...stored('$4,100') },
  ...{ pay_by: '2026-12-04', way: 'template' as const, template: 'https://pay.example/{amount}?{email}' },
  email: 'ada@example.com',
};

/** A mail to the buyer about a deal. */
function dealMailOf(kind: 'reply' | 'reminder', deal: object, locale = 'en', move = {}) {
  const accepted = {
    number: 2,
    side: 'owner' as const,
    kind: 'accept',
    ...stored('$4,100'),
    at: AT,
    ...move,
  };
  const { subject, text, html, messageId } = composeMail(
    {
      ...{ ...DELIVERY, kind, target: 'mailto:ada@example.com', locale },
      ...withOffer({ ...(kind === 'reply' && { move: accepted }), deal: { ...DEAL, ...deal } }),
    },
    { mail: MAIL, siteUrl: SITE_URL, language: 'en', linkOf: () => LINK },
  );
  return { subject: plain(String(subject)), text: plain(String(text)), html: plain(String(html)), messageId };
}

test('the mail about an acceptance has date, button and reference of its deal, and no address of the payment', () => {
  const { text, html, messageId } = dealMailOf('reply', {});
  assert.equal(messageId, `<reply.${OFFER.id}.2@mail.example>`, 'with the number of its move');
  assert.equal(
    text,
    `Agreed: $4,100 for lap.app.

Pay by Friday, December 4, 2026

Pay $4,100:
${LINK}

Opens the page of your deal. Nothing is paid by opening it. The link is for you alone: with it, others could read what is agreed.

Reference: LAP-7F3K

${CODE_LINE}

You get this message because an offer for lap.app was made with your address. If you made no offer, please ignore it.
`,
  );
  assert.doesNotMatch(html, /pay\.example/);
  for (const without of [
    { way: 'closing' },
    { way: undefined },
    { template: 'https://pay.example/{nothing' },
    { value: null, currency: null },
  ]) {
    const { text } = dealMailOf('reply', without);
    const hasButton = without.template !== undefined;
    assert.equal(text.includes('Pay $4,100:'), hasButton, JSON.stringify(without));
    assert.equal(text.includes('See what happens next:'), !hasButton);
  }
  assert.match(
    dealMailOf('reply', {}, 'de').text,
    /\nZahlbar bis Freitag, 4\. Dezember 2026\n\n4\.100 \$ bezahlen:\n/,
  );
  assert.doesNotMatch(dealMailOf('reply', { pay_by: undefined }).text, /Pay by/);
});

test('a deal that fell through is mailed with its note, and the link to read it', () => {
  const move = { kind: 'take_back', as: 'rejected', note: 'No payment.' };
  const { subject, text } = dealMailOf('reply', {}, 'en', move);
  assert.equal(subject, 'The sale of lap.app fell through');
  assert.match(text, /Note:\n> No payment\./);
  assert.match(text, /^With the link you can read this for 14 days\./m);
  assert.doesNotMatch(text, /Reference|Pay/);
});

test('a reminder names amount and date, and nothing that anybody typed', () => {
  const { subject, text, html, messageId } = dealMailOf('reminder', {});
  assert.equal(subject, 'Reminder: pay $4,100 for lap.app by Friday, December 4, 2026');
  assert.ok(
    text.startsWith(`${subject}.\n\nPay by Friday, December 4, 2026\n\nPay $4,100:\n${LINK}\n`),
    text,
  );
  assert.ok(
    text.includes(`\n\n${CODE_LINE}\n\nYou get this message because an offer for lap.app was made `),
    text,
  );
  assert.match(html, /<h1>Reminder: pay <bdi translate="no">\$4,100<\/bdi> for /);
  assert.equal(messageId, `<reminder.${OFFER.id}.1@mail.example>`);
  const unclear = { way: 'closing', value: null, currency: null };
  const without = dealMailOf('reminder', { ...unclear, amount: 'ask me' });
  assert.equal(without.subject, 'Reminder: pay for lap.app by Friday, December 4, 2026');
  for (const amount of HOSTILE_TEXTS)
    assert.deepEqual(dealMailOf('reminder', { ...unclear, amount }), without, amount);
  assert.equal(
    dealMailOf('reminder', {}, 'de').subject,
    'Erinnerung: bitte 4.100 $ für lap.app bis Freitag, 4. Dezember 2026 bezahlen',
  );
});

test('the owner reads what is overdue, with amount, reference and date', async () => {
  const mail = await mailOf({ kind: 'unpaid', ...withOffer({ deal: DEAL, current_amount: '$4,100' }) });
  assert.equal(mail.subject, 'Not paid yet: lap.app, by Ada Lovelace');
  const lines = [
    'Agreed: $4,100',
    'First offer: $12,000',
    'Reference: LAP-7F3K',
    'Pay by: Friday, December 4, 2026',
  ];
  for (const line of lines) assert.ok(plain(mail.text).includes(`\n${line}\n`), mail.text);
  assert.match(mail.text ?? '', /Open in the dashboard/);
  assert.equal(mail.messageId, `<unpaid.${OFFER.id}.1@mail.example>`);
});

test('the owner reads who changed a link to pay from what to what, by mail and webhook', async () => {
  const of = async (change: object) => {
    const delivery = {
      kind: 'pay_link' as const,
      ...withOffer({ deal: { ...DEAL, number: 3, change: { at: AT, by: 'ada@owner.example', ...change } } }),
    };
    const { text, subject, messageId } = await mailOf(delivery);
    const { body } = webhookRequest({ ...DELIVERY, ...delivery }, { siteUrl: SITE_URL, secret: undefined });
    return {
      text: plain(text),
      subject,
      messageId,
      hook: JSON.parse(body) as { text: string; offers: { deal: object }[] },
    };
  };
  const { text, subject, messageId, hook } = await of({
    from: 'https://pay.example/1',
    to: 'https://pay.example/2',
  });
  assert.equal(subject, 'The link to pay for lap.app was changed');
  assert.equal(messageId, `<pay_link.${OFFER.id}.3@mail.example>`);
  const sentence = 'It is https://pay.example/2; it was https://pay.example/1. Changed by ada@owner.example.';
  assert.ok(text.includes(sentence) && hook.text.includes(sentence), text);
  assert.match(text, /npm run admin -- password EMAIL/);
  assert.match(text, /\nTime: Nov 24, 2026, 2:47 PM UTC\n/, 'of the change');
  assert.deepEqual(hook.offers[0]?.deal, {
    ...{ reference: 'LAP-7F3K', amount: '$4,100', value: 4100, currency: 'USD', pay_by: '2026-12-04' },
    change: { at: AT, by: 'ada@owner.example', from: 'https://pay.example/1', to: 'https://pay.example/2' },
  });
  assert.ok(
    (await of({ to: 'https://pay.example/1' })).text.includes('It is https://pay.example/1; there was none.'),
  );
  const removed = (await of({ from: 'https://pay.example/1', by: undefined })).text;
  assert.ok(removed.includes('There is none any more; it was'));
  assert.ok(removed.includes('Changed by an account that is gone.'), removed);
});

test('what to do next after an acceptance is to wait for the payment, where the buyer sees how to pay', async () => {
  const move = { number: 3, side: 'buyer' as const, kind: 'accept', ...stored('$14,000'), at: AT };
  const { text } = await mailOf({ kind: 'move', ...withOffer({ move, deal: DEAL }) });
  assert.match(plain(text), /\n2\. The buyer sees where to pay\. .* with the reference LAP-7F3K\.\n/);
});

test('no other move of a buyer is mailed to a buyer', () => {
  for (const kind of ['offer', 'counter', 'decline', 'withdraw', 'take_back']) {
    const move = { number: 2, side: 'buyer' as const, kind, amount: '$1', at: AT };
    const delivery = { ...DELIVERY, kind: 'reply' as const, ...withOffer({ move }) };
    assert.throws(() => composeMail(delivery, { mail: MAIL, siteUrl: SITE_URL, language: 'en' }), {
      message: 'neither a move of the owner nor an acceptance',
    });
  }
});

test('a hostile amount of the buyer is one escaped line without direction marks, and is in no header', async () => {
  const amount = '<img src=x>\r\nBcc: eve@example.com\u2028\u202eEUR [x](https://evil.example)';
  for (const kind of ['move', 'silent'] as const) {
    const delivery = { ...DELIVERY, kind, ...withOffer({ move: { number: 3, kind: 'accept', amount } }) };
    const { subject, text, html, headers } = composeMail(delivery, {
      mail: MAIL,
      siteUrl: SITE_URL,
      language: 'en',
    });
    assert.doesNotMatch(JSON.stringify([subject, headers]), /eve@|evil/);
    assert.match(String(text), /Agreed: <img src=x> Bcc: eve@example\.com EUR \[x\]/);
    assert.match(String(html), /&lt;img src=x&gt; Bcc/);
    assert.doesNotMatch(`${text}${html}`, /[\u2028\u202e]/);
  }
});

test('the texts of the owner in a mail to the buyer are escaped', () => {
  const move = { number: 2, kind: 'counter', amount: '$1 <b>', note: 'See https://a.example\n<script>' };
  const delivery = { ...DELIVERY, kind: 'reply' as const, locale: 'en', ...withOffer({ move }) };
  const linkOf = () => LINK;
  const { html } = composeMail(delivery, { mail: MAIL, siteUrl: SITE_URL, language: 'en', linkOf });
  assert.match(String(html), /\$1 &lt;b&gt;[\s\S]*See https:\/\/a\.example<\/bdi><br><bdi>&lt;script&gt;/);
});
