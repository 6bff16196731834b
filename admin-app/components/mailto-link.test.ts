import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkInDemo, mailtoLink, mailtoWithLink } from './mailto-link.ts';

const MAIL = {
  email: 'ada@example.com',
  domain: 'lap.app',
  amount: '1,000 €',
  date: 'Nov 20, 2026, 1:05 PM',
};

/** What a mail program reads from a link. */
function read(link: string) {
  const url = new URL(link);
  const parameters = url.search
    .slice(1)
    .split('&')
    .map((parameter) => parameter.split('=').map(decodeURIComponent) as [string, string]);
  return { to: decodeURIComponent(url.pathname), rawTo: url.pathname, hash: url.hash, parameters };
}

test('an ordinary email stays readable, with subject and first line', () => {
  const link = mailtoLink(MAIL);
  assert.match(link, /^mailto:ada@example\.com\?subject=Your%20offer%20for%20lap\.app&body=/);
  assert.deepEqual(read(link).parameters, [
    ['subject', 'Your offer for lap.app'],
    ['body', 'Your offer of Nov 20, 2026, 1:05 PM: 1,000 €\r\n\r\n'],
  ]);
});

test('a crafted email adds no header, no recipient and no text', () => {
  const email = 'a@b.example?bcc=c@d.example&body=x,e@f.example;%0Acc:g#h';
  const { to, rawTo, hash, parameters } = read(mailtoLink({ ...MAIL, email }));
  assert.equal(to, email);
  assert.doesNotMatch(rawTo, /[?&,;:\n]/);
  assert.equal(hash, '');
  assert.deepEqual(
    parameters.map(([name]) => name),
    ['subject', 'body'],
  );
});

for (const hostile of [
  '1&bcc=everyone@example.com&subject=x#y',
  '1%0D%0ABcc:%20everyone@example.com',
  '1\r\nBcc: everyone@example.com',
  '1\u2028Bcc: everyone@example.com',
  '\u202egnp.exe',
]) {
  test(`the amount or domain ${JSON.stringify(hostile)} stays one line of text`, () => {
    const { hash, parameters } = read(mailtoLink({ ...MAIL, amount: hostile, domain: hostile }));
    assert.equal(hash, '');
    const [[, subject = ''] = [], [, body = ''] = [], ...more] = parameters;
    assert.deepEqual(more, []);
    const line = hostile.replace(/[\r\n\u2028\u202e]/g, ' ');
    assert.equal(subject, `Your offer for ${line}`);
    assert.equal(body, `Your offer of ${MAIL.date}: ${line}\r\n\r\n`);
  });
}

test('a long amount is shortened between two characters', () => {
  const { parameters } = read(mailtoLink({ ...MAIL, amount: '💰'.repeat(500) }));
  assert.equal(parameters[1]?.[1], `Your offer of ${MAIL.date}: ${'💰'.repeat(39)}…\r\n\r\n`);
  const exact = read(mailtoLink({ ...MAIL, amount: '9'.repeat(80) }));
  assert.equal(exact.parameters[1]?.[1], `Your offer of ${MAIL.date}: ${'9'.repeat(80)}\r\n\r\n`);
});

test('a mail with the buyer’s link has its code, in the language of the page that the offer came from', () => {
  const link = 'https://lap.app/de/offer/#0123456789abcdeffedcba9876543210';
  assert.deepEqual(read(mailtoWithLink(MAIL, link, 'de')).parameters, [
    ['subject', 'Ihr Angebot für lap.app'],
    [
      'body',
      `Hier sehen Sie meine Antwort und können darauf antworten:\r\n${link}\r\n\r\nDer Link geht nicht? Öffnen Sie https://lap.app/de/offer/ und tippen Sie den Code 014D-2PF2-DBSQ-QZXQ-5TK1-V58C-GGT\r\n\r\n`,
    ],
  ]);
  for (const language of ['en', undefined, 'xx', 'constructor']) {
    const { parameters } = read(mailtoWithLink(MAIL, link, language));
    assert.equal(parameters[0]?.[1], 'Your offer for lap.app');
    assert.match(parameters[1]?.[1] ?? '', /^You can see my answer, .* type the code 014D-\S+\r\n\r\n$/s);
  }
  assert.equal(
    read(mailtoWithLink(MAIL, 'https://lap.app/offer/', 'en')).parameters[1]?.[1],
    'You can see my answer, and answer it, here:\r\nhttps://lap.app/offer/\r\n\r\n',
    'a link without a code',
  );
});

test('half a surrogate pair breaks nothing', () => {
  assert.match(
    mailtoLink({ ...MAIL, email: '\ud800@b.example', amount: '\ud800' }),
    /^mailto:%EF%BF%BD@b\.example\?/,
  );
});

test('the link of the demo opens its own server, in the language of the offer', () => {
  const here = { origin: 'http://localhost:4321' };
  assert.equal(
    linkInDemo('https://tidepool.app/de/offer/#0f1e', here),
    'http://localhost:4321/de/offer/#0f1e',
  );
});
