import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drawnName } from './drawn-name.ts';

describe('a name in a picture', () => {
  const NAMES: [name: string, drawn: string, why: string][] = [
    ['lap.app', 'lap.app', 'stays as it is'],
    ['xn--bcher-kva.example', 'bücher.example', 'is written in its own letters'],
    ['xn--kda4b0koi.pl', 'żółć.pl', 'is written in its own letters, Polish ones too'],
    ['xn--fiqs8s.example', 'xn--fiqs8s.example', 'keeps its xn-- form in a script that the font lacks'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com', 'in Cyrillic never looks like apple.com'],
    ['xn--a.example', 'xn--a.example', 'that cannot be decoded stays as it is'],
  ];
  for (const [name, drawn, why] of NAMES) {
    test(`${name} ${why}`, () => assert.equal(drawnName(name), drawn));
  }
});
