import assert from 'node:assert/strict';
import { test } from 'node:test';
import { securityTxtOf } from './security-txt.ts';

const SITE = {
  names: new Set(['lap.app']),
  hosts: ['names.example.com'],
  languages: ['en', 'de'],
  domainPages: 0,
  contact: 'security@example.com',
};
const NOW = new Date('2026-11-23T12:34:56Z');

test('security.txt has contact, expiry and canonical URL on each host of the site', () => {
  assert.equal(
    securityTxtOf('www.lap.app', SITE, NOW),
    'Contact: mailto:security@example.com\nExpires: 2027-05-22T00:00:00.000Z\n' +
      'Preferred-Languages: en, de\nCanonical: https://lap.app/.well-known/security.txt\n',
  );
  assert.match(securityTxtOf('names.example.com', SITE, NOW) ?? '', /https:\/\/names\.example\.com\//);
});

test('security.txt is missing without a contact and on other hosts', () => {
  const { contact: _, ...without } = SITE;
  assert.equal(securityTxtOf('lap.app', without, NOW), undefined);
  assert.equal(securityTxtOf('other.example', SITE, NOW), undefined);
});
