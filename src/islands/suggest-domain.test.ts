import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestDomain } from './suggest-domain.ts';

/** Domains as typed, and what each gets. */
const SLIPS = {
  // A letter left out, added, replaced, swapped.
  'gmal.com': 'gmail.com',
  'gmai.com': 'gmail.com',
  'gmil.com': 'gmail.com',
  'gmaill.com': 'gmail.com',
  'gnail.com': 'gmail.com',
  'gmial.com': 'gmail.com',
  'yaho.com': 'yahoo.com',
  'outlok.de': 'outlook.de',
  'hotmial.co.uk': 'hotmail.co.uk',
  'HOTMIAL.com ': 'hotmail.com',
  // In the ending.
  'gmail.co': 'gmail.com',
  'gmail.cm': 'gmail.com',
  'gmail.om': 'gmail.com',
  'hotmail.co': 'hotmail.com',
  'hotmail.con': 'hotmail.com',
  'gmail.cmo': 'gmail.com',
  'gmail.comm': 'gmail.com',
  'outlook.dee': 'outlook.de',
  // In a dot.
  gmailcom: 'gmail.com',
  'gmail,com': 'gmail.com',
  'hotmail,de': 'hotmail.de',
  'gmail..com': 'gmail.com',
  'gmail.com.': 'gmail.com',
  'hotmail.couk': 'hotmail.co.uk',
  // No ending.
  gmail: 'gmail.com',
  'gmail.': 'gmail.com',
  hotmail: 'hotmail.com',
  web: 'web.de',
};

/** Domains that may be right, those that are too far from any of the list, and what is none. */
const NO_SLIPS = [
  ...['gmail.com', 'mail.com', 'email.com', 'ymail.com', 'gmx.at', 'web.de', 'me.com'],
  // Of large services, in other countries.
  ...['hotmail.se', 'hotmail.be', 'hotmail.dk', 'hotmail.gr', 'hotmail.it', 'hotmail.es', 'hotmail.nl'],
  ...[
    'yahoo.ie',
    'yahoo.se',
    'yahoo.gr',
    'yahoo.dk',
    'yahoo.be',
    'yahoo.com.br',
    'yahoo.co.kr',
    'yahoo.co.jp',
  ],
  ...['outlook.dk', 'outlook.ie', 'outlook.be', 'outlook.fr', 'outlook.es', 'gmx.fr', 'live.se'],
  ...['hotmail.com.tr', 'outlook.com.br', 'freenet.dk', 'proton.ch', 'protonmail.ch', 'fastmail.fm'],
  // Others'.
  ...['mask.io', 'mailw.com', 'mail.ru', 'pm.me', 'cloud.com', 'qmail.com', 'love.com', 'example.museum'],
  ...['company.co', 'company.con', 'company.com.', 'company', 'buyer.', 'bücher.example', 'outlook.email'],
  // Two slips.
  ...['hotmail,se', 'hotmail.se.', 'hotmial.con', 'gmail,co', 'hotmail,'],
  ...['', '.', ',', 'b@gmial.com', 'gmail .com'],
];

for (const [typed, meant] of Object.entries(SLIPS))
  test(`an email at “${typed}” gets ${meant}`, () => assert.equal(suggestDomain(`ada.L+x@${typed}`), meant));

for (const typed of NO_SLIPS)
  test(`an email at “${typed}” gets no suggestion`, () =>
    assert.equal(suggestDomain(`ada@${typed}`), undefined));

test('an ending of a country is no slip', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const endings = letters.flatMap((first) => letters.map((second) => first + second));
  for (const service of ['hotmail', 'outlook', 'yahoo', 'live', 'gmx'])
    for (const ending of endings.filter((one) => !/^(co|cm|om|uk)$/.test(one)))
      for (const domain of [`${service}.${ending}`, `${service}.co.${ending}`, `${service}.com.${ending}`])
        assert.equal(suggestDomain(`ada@${domain}`), undefined, domain);
});

test('what is no email gets no suggestion', () => {
  for (const typed of ['', 'ada', '@gmial.com', 'a b']) assert.equal(suggestDomain(typed), undefined, typed);
});
