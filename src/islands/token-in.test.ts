import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenIn } from './token-in.ts';

const TOKEN = '0123456789abcdef'.repeat(2);

test('the token is found in what a mail program made of the link, and nothing else', () => {
  for (const [hash, search, token] of [
    [`#${TOKEN}`, '', TOKEN],
    [`#${TOKEN.toUpperCase()}`, '', TOKEN],
    [`#%3C${TOKEN}%3E`, '?utm_source=x', TOKEN],
    [`#%2523${TOKEN}`, '', TOKEN],
    [`#${TOKEN}&data=05%7C02%`, '', TOKEN],
    ['', `?a=b%23${TOKEN}`, TOKEN],
    ['', `?a=b%2523${TOKEN}`, TOKEN],
    // The id of a tracker.
    ['', `?sid=${TOKEN}`, undefined],
    ['', '', undefined],
    [`#${TOKEN.slice(1)}`, '', undefined],
    [`#${TOKEN}0`, '', undefined],
  ] as const)
    assert.equal(tokenIn({ hash, search }), token, hash + search);
});
