import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../tests/support/fast-check.ts';
import { codeOf, findToken, tokenOfCode } from './link-code.ts';

const TOKEN = '0123456789abcdeffedcba9876543210';
const CODE = '014D-2PF2-DBSQ-QZXQ-5TK1-V58C-GGT';
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const tokens = () =>
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((bits) => bits.toString(16).padStart(32, '0'));

test('a code is the token in groups of four, and is read in any form', () => {
  assert.equal(codeOf(TOKEN), CODE);
  const forms = [CODE, CODE.toLowerCase(), CODE.replaceAll('-', ' '), ` ${CODE.replaceAll('-', '')}\n`];
  const lookalikes = CODE.replaceAll('0', 'o').replaceAll('1', 'l');
  for (const form of [...forms, lookalikes, CODE.replaceAll('1', 'I'), CODE.replaceAll('-', '–')])
    assert.equal(tokenOfCode(form), TOKEN, form);
  for (const token of ['0'.repeat(32), 'f'.repeat(32)]) assert.equal(tokenOfCode(codeOf(token)), token);
  fc.assert(fc.property(tokens(), (token) => tokenOfCode(codeOf(token)) === token));
});

test('one mistyped character and two that have changed places are found', () => {
  const plain = CODE.replaceAll('-', '');
  const replaced = (changes: Record<number, string | undefined>) =>
    Array.from(plain, (symbol, index) => changes[index] ?? symbol).join('');
  for (const index of Array.from(plain).keys()) {
    for (const symbol of SYMBOLS)
      if (symbol !== plain[index]) assert.equal(tokenOfCode(replaced({ [index]: symbol })), undefined);
    for (const other of Array.from(plain).keys())
      if (plain[index] !== plain[other])
        assert.equal(tokenOfCode(replaced({ [index]: plain[other], [other]: plain[index] })), undefined);
  }
});

test('what is no code is found', () => {
  const short = CODE.slice(0, -1);
  // U is no symbol, and the first one has three bits alone.
  for (const text of [
    '',
    short,
    `${CODE}0`,
    CODE.replace('Z', 'U'),
    '800000000000000000000000009',
    TOKEN,
    '💶'.repeat(27),
  ])
    assert.equal(tokenOfCode(text), undefined, text);
  fc.assert(fc.property(fc.string(), (text) => [undefined, 32].includes(tokenOfCode(text)?.length)));
});

test('the token is found in what mail programs make of a link', () => {
  const found = [
    TOKEN,
    `#${TOKEN}`,
    `/offer/%23${TOKEN}`,
    `/offer%23${TOKEN.toUpperCase()}`,
    `/OFFER/%252523${TOKEN}`,
    `#${TOKEN}%3E`,
    `#${TOKEN}).`,
    `#utm_source=x&${TOKEN}&y`,
  ];
  for (const text of found) assert.equal(findToken(text), TOKEN, text);
  const cut = TOKEN.slice(0, 31);
  for (const text of ['', '#', `#${cut}`, `#${cut}g`, `#${TOKEN}0`, `#${TOKEN}${TOKEN}`, CODE])
    assert.equal(findToken(text), undefined, text);
  fc.assert(fc.property(fc.string(), (text) => [undefined, 32].includes(findToken(text)?.length)));
});
