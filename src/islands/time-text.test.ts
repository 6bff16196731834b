import assert from 'node:assert/strict';
import { test } from 'node:test';

// Another zone than that of the machine, which may be UTC.
process.env.TZ = 'Asia/Kolkata';
const { timeText } = await import('./time-text.ts');

const NOW = Date.parse('2026-11-24T12:00:00Z');
/** As engines write the space before AM and PM: a narrow one, or a plain one. */
const plain = (text: string) => text.replaceAll('\u202f', '\u00a0').replaceAll('\u00a0', '_');

test('a time has no break and no zone, and its year only where it is far', () => {
  for (const [at, form, english, german] of [
    ['2026-11-23T06:00:00Z', 'short', 'Nov_23,_11:30_AM', '23._Nov.,_11:30'],
    ['2025-11-23T06:00:00Z', 'short', 'Nov_23,_2025,_11:30_AM', '23._Nov._2025,_11:30'],
    ['2026-11-30T06:00:00Z', 'long', 'Monday, November_30_at_11:30_AM', 'Montag, 30._November_um_11:30'],
    ['2026-11-30T20:00:00Z', 'day', 'Tuesday, December_1', 'Dienstag, 1._Dezember'],
  ] as const) {
    assert.equal(plain(timeText(at, 'en', form, NOW)), english);
    assert.equal(plain(timeText(at, 'de', form, NOW)), german);
  }
});
