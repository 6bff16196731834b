import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakName } from './break-name.ts';

test('a name breaks before a long ending, and a short one never stands alone', () => {
  for (const [name, ...parts] of [
    ['alpha.example', 'alpha', '', 'example'],
    ['lap.app', '', 'lap', 'app'],
    ['mountainbike-outlet.de', '', 'mountainbike-outlet', 'de'],
    ['verkehrsgenehmigung.de', 'verkehrsge', 'nehmigung', 'de'],
    ['site.co.uk', '', 'site.co', 'uk'],
  ] as const)
    assert.deepEqual(breakName(name), parts);
});
