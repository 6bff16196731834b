import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shownName } from './shown-name.ts';

describe('a name as a person reads it', () => {
  const NAMES: [name: string, shown: string, why: string][] = [
    ['lap.app', 'lap.app', 'stays as it is'],
    ['xn--mnchen-3ya.de', 'münchen.de', 'is in its own letters'],
    ['xn--fiqs8s.example', '中国.example', 'is in its own script'],
    ['xn--a.example', 'xn--a.example', 'stays as it is because it cannot be decoded'],
  ];
  for (const [name, shown, why] of NAMES) {
    test(`the shown name of ${name} ${why}`, () => assert.equal(shownName(name), shown));
  }
});
