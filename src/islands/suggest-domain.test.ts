import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestDomain } from './suggest-domain.ts';

test('a slip in the domain of an email gets a suggestion', () => {
  for (const [email, domain] of [
    ['ada@gmial.com', 'gmail.com'],
    ['ada@gmal.com', 'gmail.com'],
    ['ada@gmaill.com', 'gmail.com'],
    ['ada@gnail.com', 'gmail.com'],
    ['ada@gmail.co', 'gmail.com'],
    ['ada@gmail', 'gmail.com'],
    ['ada@hotmail.con', 'hotmail.com'],
    ['Ada.L+x@Hotmial.CON ', 'hotmail.com'],
    ['ada@yaho.com', 'yahoo.com'],
    ['ada@outlok.de', 'outlook.de'],
    ['ada@company.con', 'company.com'],
    ['ada@mail.company.ogr', 'mail.company.org'],
    ['bob@buyer', 'buyer.com'],
    ['bob@buyer.', 'buyer.com'],
  ] as const) {
    assert.equal(suggestDomain(email), domain, email);
  }
});

test('an email that may be right, or is none, gets no suggestion', () => {
  for (const email of [
    'ada@gmail.com',
    'ada@mail.com',
    'ada@email.com',
    'ada@gmx.at',
    'ada@love.com',
    'ada@company.co',
    'ada@company.cm',
    'ada@example.com',
    'ada@example.museum',
    'ada@hotmail.it',
    'ada@bücher.example',
    '',
    'ada',
    'ada@',
    '@gmial.com',
    'ada@b@gmial.com',
    'a b',
  ]) {
    assert.equal(suggestDomain(email), undefined, email);
  }
});
