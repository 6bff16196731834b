import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDomainName } from './domain-name.ts';

test('names are read as people write them', () => {
  for (const [text, name] of [
    ['lap.app', 'lap.app'],
    [' LAP.App. ', 'lap.app'],
    ['\u00A0lap.app\uFEFF', 'lap.app'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.EXAMPLE', 'xn--bcher-kva.example'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['ﬁt.app', 'fit.app'],
    ['https://lap.app', 'lap.app'],
    ['HTTP://www.Lap.app:8080/buy?now#here', 'lap.app'],
    ['www.lap.app', 'lap.app'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['www.com', 'www.com'],
  ] as const) {
    assert.deepEqual(readDomainName(text), { name }, text);
  }
});

test('what is no domain name is rejected, and never shortened to one', () => {
  for (const text of [
    'lap',
    'https://',
    'https://you@lap.app/',
    'ftp://lap.app',
    'lap.app/path',
    'lap.app:80',
    'you@lap.app',
    'lap.app?x',
    'lap app.com',
    '10.0.0.1',
    'a..b',
    '.app',
    '-a.app',
    'lap.app..',
    'xn--zzzz.example',
    `${'a'.repeat(64)}.app`,
    'ü.app/path',
    'ü.app:80',
    'ü：80.app',
    '\u001B[2J.app',
  ]) {
    const result = readDomainName(text);
    assert.ok('problem' in result, text);
    assert.match(result.problem, /^".+" is not a domain name: write it like example\.com/);
    assert.doesNotMatch(result.problem, /\p{Cc}/u);
  }
  assert.deepEqual(readDomainName(' '), { problem: 'is empty' });
});
