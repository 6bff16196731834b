import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailtoLink } from './mailto-link.ts';

test('a mailto link keeps an ordinary email readable', () => {
  assert.equal(mailtoLink('ada@example.com'), 'mailto:ada@example.com');
});

test('a crafted email adds no header, recipient or text to the mailto link', () => {
  const link = mailtoLink('a@b.example?bcc=c@d.example&body=x,e@f.example;%0Acc:g');
  assert.doesNotMatch(link.slice('mailto:'.length), /[?&,;:\n]/);
  assert.equal(new URL(link).search, '');
});

test('a lone surrogate does not break the mailto link', () => {
  assert.equal(mailtoLink('\ud800@b.example'), 'mailto:%EF%BF%BD@b.example');
});
