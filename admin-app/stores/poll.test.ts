import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { beforeEach, type Mock, mock, test } from 'node:test';
import { createPoller, MAX_POLL_INTERVAL_MS, POLL_INTERVAL_MS, type PollTask } from './poll.ts';

let tab: ReturnType<typeof tabOf>;

beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  tab = tabOf();
});

/** The document of a tab, as far as a poller uses it. */
function tabOf() {
  const document = Object.assign(new EventTarget(), { hidden: false });
  Object.assign(globalThis, { document });
  return {
    setHidden(hidden: boolean) {
      document.hidden = hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    },
    listeners: () => getEventListeners(document, 'visibilitychange').length,
  };
}

/** Lets everything that is resolved be noticed. */
const settle = () => new Promise((done) => setImmediate(done));

async function wait(time: number) {
  mock.timers.tick(time);
  await settle();
}

/** The number of polls during a time, in steps of a second. */
async function pollsIn(task: Mock<PollTask>, time: number): Promise<number> {
  const before = task.mock.callCount();
  for (let left = time; left > 0; left -= 1_000) await wait(1_000);
  return task.mock.callCount() - before;
}

test('polls at once and then every 10 seconds', async () => {
  const task = mock.fn<PollTask>(async () => {});
  const stop = createPoller([task]).start();
  assert.equal(task.mock.callCount(), 1);
  await settle();
  assert.equal(await pollsIn(task, 60_000), 6);
  stop();
});

test('one request is in flight at a time, and the interval begins after it', async () => {
  const response = Promise.withResolvers<void>();
  const task = mock.fn<PollTask>(() => response.promise);
  const poller = createPoller([task]);
  const stop = poller.start();
  poller.pollNow();
  assert.equal(task.mock.callCount(), 1);
  assert.equal(await pollsIn(task, 60_000), 0);
  response.resolve();
  await settle();
  assert.equal(task.mock.callCount(), 2, 'the poll that was requested meanwhile');
  assert.equal(await pollsIn(task, POLL_INTERVAL_MS - 1_000), 0);
  assert.equal(await pollsIn(task, 1_000), 1);
  stop();
});

test('pauses while the tab is hidden, and polls at once when it is visible again', async () => {
  const task = mock.fn<PollTask>(async () => {});
  const poller = createPoller([task]);
  const stop = poller.start();
  await settle();
  tab.setHidden(true);
  poller.pollNow();
  assert.equal(await pollsIn(task, 3_600_000), 0);
  tab.setHidden(false);
  assert.equal(task.mock.callCount(), 2);
  await settle();
  assert.equal(await pollsIn(task, POLL_INTERVAL_MS), 1);
  stop();
});

test('starts in a hidden tab with the first sight of it', async () => {
  tab.setHidden(true);
  const task = mock.fn<PollTask>(async () => {});
  const stop = createPoller([task]).start();
  assert.equal(await pollsIn(task, 60_000), 0);
  tab.setHidden(false);
  assert.equal(task.mock.callCount(), 1);
  stop();
});

test('a poll whose tab is hidden meanwhile is the last one until it is visible', async () => {
  const response = Promise.withResolvers<void>();
  const task = mock.fn<PollTask>(() => response.promise);
  const poller = createPoller([task]);
  const stop = poller.start();
  poller.pollNow();
  tab.setHidden(true);
  response.resolve();
  await settle();
  assert.equal(task.mock.callCount(), 1);
  assert.equal(await pollsIn(task, 60_000), 0);
  stop();
});

test('doubles the interval with each failure up to 5 minutes, and is back at 10 seconds after a success', async () => {
  const task = mock.fn<PollTask>(() => Promise.reject(new Error('offline')));
  const failures = mock.fn();
  const stop = createPoller([task], failures).start();
  await settle();
  for (const interval of [20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1_000)) {
    assert.equal(await pollsIn(task, interval - 1_000), 0);
    assert.equal(await pollsIn(task, 1_000), 1, `${interval}`);
  }
  assert.equal(failures.mock.callCount(), 7);
  task.mock.mockImplementation(async () => {});
  assert.equal(await pollsIn(task, MAX_POLL_INTERVAL_MS), 1);
  assert.equal(await pollsIn(task, POLL_INTERVAL_MS), 1);
  stop();
});

test('tasks follow each other, and one that fails stops no other', async () => {
  const order: string[] = [];
  const first = async () => {
    order.push('first');
    throw new Error();
  };
  const second = async () => {
    order.push('second');
  };
  const stop = createPoller([first, second]).start();
  await settle();
  assert.deepEqual(order, ['first', 'second']);
  stop();
});

test('once stopped, aborts the request, starts no other task and polls no more', async () => {
  const response = Promise.withResolvers<void>();
  const task = mock.fn<PollTask>(() => response.promise);
  const second = mock.fn<PollTask>(async () => {});
  const failures = mock.fn();
  const poller = createPoller([task, second], failures);
  poller.start()();
  assert.equal(task.mock.calls[0]?.arguments[0].aborted, true);
  response.reject(new Error('aborted'));
  await settle();
  poller.pollNow();
  tab.setHidden(false);
  assert.equal(await pollsIn(task, 60_000), 0);
  assert.equal(second.mock.callCount() + failures.mock.callCount() + tab.listeners(), 0);
});

test('can be started again while a request of before is in flight', async () => {
  const late = Promise.withResolvers<void>();
  const task = mock.fn<PollTask>(async () => {});
  task.mock.mockImplementationOnce(() => late.promise);
  const poller = createPoller([task]);
  poller.start()();
  const stop = poller.start();
  assert.equal(task.mock.callCount(), 2);
  late.resolve();
  await settle();
  assert.equal(await pollsIn(task, POLL_INTERVAL_MS), 1);
  stop();
});

test('polls at an interval of its own', async () => {
  const task = mock.fn<PollTask>(async () => {});
  const stop = createPoller([task], undefined, 60_000).start();
  await settle();
  assert.equal(await pollsIn(task, 59_000), 0);
  assert.equal(await pollsIn(task, 61_000), 2);
  stop();
});
