import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { NamesPlan } from '#contract/names.ts';
import { waitUntil } from '../../tests/support/terminal.ts';
import { NamesRejected } from './name-rejection.ts';
import { createNamesWorker } from './names-worker.ts';
import { storedChanges } from './stored-changes.fixture.ts';
import type { NamesTask } from './thread-messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'names-worker-'));
const file = join(folder, 'catalogue.yaml');
writeFileSync(file, 'domains:\n  - name: lap.app\n    price: $5\n');
process.env.CATALOGUE = file;
const worker = createNamesWorker(undefined);
after(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true });
});
const none = () => Promise.reject(new Error('no call is expected'));
const change = (to: string): NamesTask => ({
  action: 'change',
  batch: '0190a5b0-1111-4222-8333-444455556666',
  changes: [{ name: 'lap.app', field: 'state', from: null, to }],
});

test('tasks are performed in a thread, with the calls and the rejections of each', async () => {
  const read = (await worker.perform({ action: 'read', names: ['lap.app'] }, none)) as { file: string };
  assert.equal(read.file, 'own');
  await assert.rejects(
    worker.perform(change('gone'), storedChanges(join(folder, 'one.json')).call as never),
    ({ name, code, details }: NamesRejected) => {
      assert.deepEqual([name, code], ['NamesRejected', 'invalid']);
      const [problem] = details.body?.problems ?? [];
      assert.deepEqual([problem?.name, problem?.field], ['lap.app', 'state']);
      return true;
    },
  );
  const ended = () => Promise.reject(new NamesRejected('session_ended'));
  await assert.rejects(worker.perform(change('sold'), ended), { code: 'session_ended' });
  await assert.rejects(worker.perform(change('sold'), none), { code: 'unavailable' });
  assert.doesNotMatch(readFileSync(file, 'utf8'), /sold/);
  const database = storedChanges(join(folder, 'two.json'));
  await worker.perform(change('sold'), database.call as never);
  assert.match(readFileSync(file, 'utf8'), /state: sold/);
  assert.deepEqual(database.ends(), ['written']);
});

test('a task begins once the one before has ended', async () => {
  const { call } = storedChanges(join(folder, 'three.json'));
  const slowly = async (name: string, args: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return await call(name as never, args as never);
  };
  const changes = [{ name: 'lap.app', field: 'price', from: '$5', to: '$6' }];
  const batch = '0190a5b0-1111-4222-8333-444455557777';
  const [saved, read] = await Promise.all([
    worker.perform({ action: 'change', batch, changes }, slowly),
    worker.perform({ action: 'read', names: ['lap.app'] }, none),
  ]);
  assert.equal((saved as { batch: string }).batch, batch);
  const { names } = read as { names: Record<string, { price: { value: string } }> };
  assert.equal(names['lap.app']?.price.value, '$6');
});

test('the host of the dashboard is not added as a name', async (context) => {
  const adminHost = 'admin.example.com';
  const own = createNamesWorker(adminHost);
  context.after(own.stop);
  const plan = (await own.perform({ action: 'plan', text: `${adminHost} 5 USD` }, none)) as NamesPlan;
  assert.deepEqual([plan.added, plan.left_out.length], [[], 1]);
});

test('a task that takes longer than the thread may be idle is performed, and the idle thread ends', async (context) => {
  const brief = createNamesWorker(undefined, 50);
  await brief.perform({ action: 'read', names: [] }, none);
  await nextTurn();
  const earlier = brief.perform({ action: 'read', names: [] }, none);
  const { call } = storedChanges(join(folder, 'four.json'));
  const slowly = async (name: string, args: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return await call(name as never, args as never);
  };
  const changes = [{ name: 'lap.app', field: 'description.en', from: null, to: 'Fast.' }];
  const end = context.mock.method(Worker.prototype, 'terminate');
  await brief.perform({ action: 'change', batch: '0190a5b0-1111-4222-8333-444455558888', changes }, slowly);
  await earlier;
  await waitUntil(() => end.mock.callCount() === 1, 'the end of the idle thread');
  await brief.stop();
});

test('a task whose thread ends is rejected, and the next one has a new thread', async (context) => {
  const ending = createNamesWorker(undefined);
  // Such as one without memory.
  const post = context.mock.method(Worker.prototype, 'postMessage', function (this: Worker) {
    void this.terminate();
  });
  await assert.rejects(
    ending.perform({ action: 'read', names: [] }, none),
    /thread of the catalogue has ended/,
  );
  post.mock.restore();
  const read = (await ending.perform({ action: 'read', names: [] }, none)) as { file: string };
  assert.equal(read.file, 'own');
  await ending.stop();
});

test('a stop waits for the task that is performed, and rejects those after it', async () => {
  const stopped = createNamesWorker(undefined);
  const { call, ends } = storedChanges(join(folder, 'five.json'));
  const slowly = async (name: string, args: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return await call(name as never, args as never);
  };
  const changes = [{ name: 'lap.app', field: 'minimum', from: null, to: '$2' }];
  const task: NamesTask = { action: 'change', batch: '0190a5b0-1111-4222-8333-444455559999', changes };
  const result = stopped.perform(task, slowly);
  await nextTurn();
  const ending = stopped.stop();
  await assert.rejects(stopped.perform(task, none), { code: 'unavailable' });
  await ending;
  await result;
  assert.deepEqual(ends(), ['written']);
});

test('beyond some tasks that wait the next is rejected at once', async () => {
  const tasks = Array.from({ length: 17 }, () => worker.perform({ action: 'read', names: [] }, none));
  const results = await Promise.allSettled(tasks);
  assert.deepEqual(
    results.map(({ status }) => status),
    [...Array(16).fill('fulfilled'), 'rejected'],
  );
  await assert.rejects(tasks[16] as Promise<unknown>, { code: 'busy' });
});
