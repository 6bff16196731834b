import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedLog } from './limited-log.ts';

test('a flood writes a few lines and then the number of dropped ones', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { mock } = context.mock.method(console, 'error', () => {});
  const log = limitedLog();
  for (let time = 0; time < 10_000; time += 1) log('failed');
  assert.equal(mock.callCount(), 20);
  context.mock.timers.tick(1_000);
  log('failed later');
  const lines = mock.calls.slice(20).map(({ arguments: [line] }) => line);
  assert.deepEqual(lines, ['9980 similar lines were left out.', 'failed later']);
});
