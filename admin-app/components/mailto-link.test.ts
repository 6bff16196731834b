import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailtoLink } from './mailto-link.ts';

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

test('half a surrogate pair breaks nothing', () => {
  assert.match(
    mailtoLink({ ...MAIL, email: '\ud800@b.example', amount: '\ud800' }),
    /^mailto:%EF%BF%BD@b\.example\?/,
  );
});
