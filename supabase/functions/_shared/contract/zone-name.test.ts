import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zoneName } from './zone-name.ts';

test('a time zone is named in words of the language, without summer or winter', () => {
  for (const [language, timeZone, name] of [
    ['en', 'Europe/Berlin', 'Central European Time'],
    ['de', 'Europe/Berlin', 'Mitteleuropäische Zeit'],
    ['en', 'America/New_York', 'Eastern Time'],
    ['en', 'UTC', 'Coordinated Universal Time'],
    ['de', 'UTC', 'Koordinierte Weltzeit'],
  ] as const)
    assert.equal(zoneName(language, timeZone), name);
});
