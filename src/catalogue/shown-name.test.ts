import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shownName } from './shown-name.ts';

describe('a name as a person reads it', () => {
  const NAMES: [name: string, shown: string, why: string][] = [
    ['lap.app', 'lap.app', 'stays as it is'],
    ['xn--mnchen-3ya.de', 'münchen.de', 'is written in its own letters'],
    ['xn--fiqs8s.example', '中国.example', 'is written in its own script'],
    ['xn--a.example', 'xn--a.example', 'that cannot be decoded stays as it is'],
  ];
  for (const [name, shown, why] of NAMES) {
    test(`${name} ${why}`, () => assert.equal(shownName(name), shown));
  }
});
