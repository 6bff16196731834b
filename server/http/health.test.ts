import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BACKEND_STARTING, createHealth, statusOf } from './health.ts';

const GOOD = { problem: () => undefined, build: () => 'one' };
const noProblem = async () => undefined;
const behind = (database: true | string, functions: true | string, messages: true | string = true) => ({
  health: async () => ({ database, functions, messages }),
});

test('health is ok when every part is', async () => {
  assert.deepEqual(await createHealth(GOOD, behind(true, true), noProblem)(), {
    status: 'ok',
    pages: 'ok',
    database: 'ok',
    functions: 'ok',
    messages: 'ok',
    catalogue: 'ok',
    reasons: {},
    build: 'one',
  });
});

test('health is degraded with the reason of each degraded part', async () => {
  const catalogueProblem = async () => 'catalogue.yaml:12:5  entry 2 (lap.app), field price is a number';
  const health = await createHealth(
    { ...GOOD, problem: () => 'Could not load the new build.' },
    behind('The database is restarting.', 'The functions are restarting.', '1 message was not sent.'),
    catalogueProblem,
  )();
  assert.equal(health.status, 'degraded');
  assert.equal(statusOf(health), 503);
  assert.deepEqual(health.reasons, {
    pages: 'Could not load the new build.',
    database: 'The database is restarting.',
    functions: 'The functions are restarting.',
    messages: '1 message was not sent.',
    catalogue: 'catalogue.yaml:12:5  entry 2 (lap.app), field price is a number',
  });
  assert.equal(health.catalogue, 'degraded');
  assert.equal(health.messages, 'degraded');
});

test('a wrong catalogue or unsent messages are degraded with status 200, because pages and offers work', async () => {
  const fail = async () => 'wrong';
  const health = await createHealth(GOOD, behind(true, true), fail)();
  assert.deepEqual([health.status, health.catalogue, statusOf(health)], ['degraded', 'degraded', 200]);
  const unsent = await createHealth(GOOD, behind(true, true, '1 message was not sent.'), noProblem)();
  assert.deepEqual([unsent.status, unsent.messages, statusOf(unsent)], ['degraded', 'degraded', 200]);
  const worse = await createHealth(GOOD, behind(true, 'The functions are restarting.'), fail)();
  assert.equal(statusOf(worse), 503);
});

test('a flood of health requests queries the backend once a second, ten times where it is down', async (context) => {
  context.mock.timers.enable({ apis: ['Date'] });
  let incoming = 0;
  let state: true | string = true;
  const backend = {
    health: async () => {
      incoming += 1;
      return { database: state, functions: true as const, messages: true as const };
    },
  };
  const health = createHealth(GOOD, backend, noProblem);
  const flood = async (ms: number) => {
    context.mock.timers.tick(ms);
    return await Promise.all(Array.from({ length: 100 }, () => health()));
  };
  await flood(0);
  await flood(1_000);
  assert.equal(incoming, 1);
  state = 'The backend is starting.';
  await flood(1);
  assert.equal(incoming, 2);
  state = true;
  await flood(100);
  assert.equal(incoming, 2);
  const [report] = await flood(1);
  assert.equal(report?.status, 'ok');
  assert.equal(incoming, 3);
});

test('while the backend starts offers do not work, and no message is missed', async () => {
  const health = await createHealth(GOOD, { health: async () => BACKEND_STARTING }, noProblem)();
  assert.equal(statusOf(health), 503);
  assert.deepEqual(
    [health.database, health.functions, health.messages, health.pages],
    ['degraded', 'degraded', 'ok', 'ok'],
  );
});
