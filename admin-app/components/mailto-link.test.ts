import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailtoLink } from './mailto-link.ts';

test('an ordinary address stays readable', () => {
  assert.equal(mailtoLink('ada@example.com'), 'mailto:ada@example.com');
});

test('a crafted address adds no header, no recipient and no text', () => {
  const link = mailtoLink('a@b.example?bcc=c@d.example&body=x,e@f.example;%0Acc:g');
  assert.doesNotMatch(link.slice('mailto:'.length), /[?&,;:\n]/);
  assert.equal(new URL(link).search, '');
});

test('half a surrogate pair breaks nothing', () => {
  assert.equal(mailtoLink('\ud800@b.example'), 'mailto:%EF%BF%BD@b.example');
});
