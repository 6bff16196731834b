import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tokensIn } from '../../../src/branding/design-tokens.ts';
import { withOwnTokens } from './own-tokens.ts';

const BOTH = ['light', 'dark'];
const css = readFileSync('src/styles/tokens.css', 'utf8');

test('own values replace those of their tokens, and no others', () => {
  const own = { accent: 'light-dark(#1b6b3a, #8fdcab)', 'space-4': 'min(1.25rem, 5vw)' };
  const before = tokensIn(css);
  const after = tokensIn(withOwnTokens(css, own, BOTH));
  for (const [name, value] of before) assert.equal(after.get(name), { ...own }[name] ?? value, name);
  assert.equal(after.size, before.size);
});

test('without own values the style sheet stays as it is', () => {
  assert.equal(withOwnTokens(css, {}, BOTH), css);
});

test('one scheme replaces both', () => {
  const dark = withOwnTokens(css, {}, ['dark']);
  assert.match(dark, /^ {2}color-scheme: dark;$/m);
  assert.equal(dark.length, css.length - 'light '.length);
});
