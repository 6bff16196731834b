import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedLog } from './limited-log.ts';

test('a flood writes a few lines and then the number of dropped ones', () => {
  const lines: string[] = [];
  let now = 0;
  const log = limitedLog(
    (line) => lines.push(line),
    () => now,
  );
  for (let time = 0; time < 10_000; time += 1) log('failed');
  assert.equal(lines.length, 20);
  now = 1_000;
  log('failed later');
  assert.deepEqual(lines.slice(20), ['9980 similar lines were left out.', 'failed later']);
});
