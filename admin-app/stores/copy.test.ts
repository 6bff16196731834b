import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createCopy } from './copy.ts';

test('what was copied is shown at its button for a moment', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const write = mock.fn(async (_: string) => {});
  const { $copied, copy } = createCopy(write);
  await copy('ada@example.com', 'a');
  assert.deepEqual(write.mock.calls[0]?.arguments, ['ada@example.com']);
  assert.deepEqual($copied.get(), { text: 'ada@example.com', by: 'a', isCopied: true });
  mock.timers.tick(2_000);
  await copy('grace@example.com', 'b');
  mock.timers.tick(2_000);
  assert.equal($copied.get()?.by, 'b', 'for its own time');
  mock.timers.tick(500);
  assert.equal($copied.get(), undefined);
  mock.timers.reset();
});

test('the result is “not copied” without a clipboard', async () => {
  const { $copied, copy } = createCopy(() => Promise.reject(new Error('not allowed')));
  await copy('ada@example.com', 'a');
  assert.equal($copied.get()?.isCopied, false);
});
