import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawnName } from './drawn-name.ts';

describe('a name in a picture', () => {
  const NAMES: [name: string, drawn: string, why: string][] = [
    ['lap.app', 'lap.app', 'stays as it is'],
    ['xn--bcher-kva.example', 'bücher.example', 'is in its own letters'],
    ['xn--kda4b0koi.pl', 'żółć.pl', 'is in its own letters, Polish ones too'],
    ['xn--fiqs8s.example', 'xn--fiqs8s.example', 'stays punycode because the font lacks its script'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com', 'stays punycode because Cyrillic would look like apple.com'],
    ['xn--a.example', 'xn--a.example', 'stays as it is because it cannot be decoded'],
  ];
  for (const [name, drawn, why] of NAMES) {
    test(`the drawn name of ${name} ${why}`, () => assert.equal(drawnName(name), drawn));
  }
});
