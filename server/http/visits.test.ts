import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isbot } from 'isbot';
import type { Arguments } from '#contract/calls.ts';
import type { StaticResponse } from '../pages/static-pages.ts';
import { createGateway } from './gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING } from './gateway-fakes.ts';
import { createVisits, type Visits, type VisitsOptions } from './visits.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';
const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const ROBOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
  'curl/8.14.1',
];
const NAVIGATION = { 'sec-fetch-dest': 'document', 'user-agent': PHONE };

type Batch = Arguments<'add_numbers'>;

/** A counter of its own for each test, which the server uses meanwhile. */
function counter(more: Partial<VisitsOptions> = {}) {
  const stored: Batch[] = [];
  const clock = { now: Date.parse('2026-11-29T12:00:00Z') };
  const add = async (batch: Batch) => {
    stored.push(batch);
  };
  const onFailure = mock.fn();
  const visits = createVisits({ add, onFailure, isOn: true, now: () => clock.now, ...more });
  current = visits;
  return {
    ...visits,
    stored,
    clock,
    onFailure,
    /** What was stored since the last call, by day and name. */
    async written(): Promise<string[]> {
      await visits.write();
      return stored
        .splice(0)
        .flatMap(({ counts }) => counts)
        .map(({ day, name, visits = 0, begun = 0 }) => `${day} ${name} ${visits} ${begun}`);
    },
  };
}

let current: Visits;

const pageOf = (name: string): StaticResponse => ({
  name,
  headers: { etag: '"1"' },
  body: Buffer.from(name),
});
const PAGES = new Map([
  ['lap.app', pageOf('lap.app')],
  ['two.app', pageOf('two.app')],
]);
const agent = new Agent({ keepAlive: true });
let server: Server;
before(async () => {
  const pages = {
    ...PAGES_OF_NOTHING,
    find: (host: string) => PAGES.get(host) ?? { headers: { etag: '"1"' }, body: Buffer.from('start page') },
  };
  server = createGateway({
    pages,
    backend: undefined,
    health: HEALTHY,
    visits: { page: (...visit) => current.page(...visit) },
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  agent.destroy();
  server.close();
});

async function open(
  host: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, path: '/', method, agent, headers: { host, ...headers } }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

async function times(number: number, make: (n: number) => Promise<number | undefined>, status: number) {
  for (let n = 0; n < number; n += 1) assert.equal(await make(n), status);
}

test('a day of visits, robots, prefetches, reloads and other requests is counted to the number', async () => {
  const { botCheck, readBy, written } = counter();
  // While isbot is loaded.
  await times(2, () => open('lap.app', NAVIGATION), 200);
  await open('lap.app', { ...NAVIGATION, 'user-agent': ROBOTS[0] ?? '' });
  readBy(isbot);
  await times(300, () => open('lap.app', NAVIGATION), 200);
  await times(200, () => open('two.app', { ...NAVIGATION, 'user-agent': DESKTOP }), 200);
  await times(40, () => open('lap.app', { ...NAVIGATION, 'if-none-match': '"1"' }), 304);
  await times(200, (n) => open('lap.app', { ...NAVIGATION, 'user-agent': ROBOTS[n % 4] ?? '' }), 200);
  await times(25, () => open('lap.app', { ...NAVIGATION, 'sec-purpose': 'prefetch' }), 200);
  await times(25, () => open('lap.app', { ...NAVIGATION, 'sec-purpose': 'prefetch;prerender' }), 200);
  await times(5, () => open('lap.app', NAVIGATION, 'HEAD'), 200);
  await times(5, () => open('lap.app', { 'user-agent': PHONE }), 200);
  await times(5, () => open('lap.app', { ...NAVIGATION, 'sec-fetch-dest': 'iframe' }), 200);
  await times(5, () => open('lap.app', { 'sec-fetch-dest': 'document' }), 200);
  await times(
    5,
    () => open('lap.app', { ...NAVIGATION, 'user-agent': `${PHONE} ${'Mozilla/5.0 '.repeat(90)}` }),
    200,
  );
  await times(5, () => open('start.example', NAVIGATION), 200);
  botCheck('two.app');
  assert.deepEqual(await written(), ['2026-11-29 lap.app 342 0', '2026-11-29 two.app 200 1']);
});

test('days end at midnight in UTC', async () => {
  const { clock, readBy, written } = counter();
  readBy(isbot);
  clock.now = Date.parse('2026-11-29T23:59:59.999Z');
  await open('lap.app', NAVIGATION);
  clock.now += 1;
  await times(2, () => open('lap.app', NAVIGATION), 200);
  assert.deepEqual(await written(), ['2026-11-29 lap.app 1 0', '2026-11-30 lap.app 2 0']);
});

test('of a flood of made-up user agents 100 a second are read, and known ones count', async () => {
  const { clock, readBy, written } = counter();
  readBy(isbot);
  await open('two.app', NAVIGATION);
  clock.now += 1_000;
  await times(150, (n) => open('lap.app', { ...NAVIGATION, 'user-agent': `${DESKTOP} Edg/${n}` }), 200);
  await open('two.app', NAVIGATION);
  assert.deepEqual(await written(), ['2026-11-29 two.app 2 0', '2026-11-29 lap.app 100 0']);
  clock.now += 1_000;
  await open('lap.app', { ...NAVIGATION, 'user-agent': `${DESKTOP} Edg/149` });
  assert.deepEqual(await written(), ['2026-11-29 lap.app 1 0']);
});

test('at most 1,000 user agents are remembered', () => {
  const { clock, readBy, page } = counter();
  const isRobot = mock.fn(() => false);
  readBy(isRobot);
  const visit = (n: number) => {
    clock.now += 1_000;
    const headers = { ...NAVIGATION, 'user-agent': `${DESKTOP} Edg/${n}` };
    page({ method: 'GET', headers } as unknown as IncomingMessage, 'lap.app');
  };
  for (let n = 0; n < 1_000; n += 1) visit(n);
  visit(0);
  assert.equal(isRobot.mock.callCount(), 1_000);
  visit(1_000);
  visit(0);
  assert.equal(isRobot.mock.callCount(), 1_002, 'made anew');
});

test('what was counted is stored each minute', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { botCheck, stored } = counter();
  botCheck('lap.app');
  t.mock.timers.tick(59_999);
  await setImmediate();
  assert.equal(stored.length, 0);
  for (const tick of [1, 60_000]) {
    t.mock.timers.tick(tick);
    await setImmediate();
    botCheck('two.app');
  }
  assert.deepEqual(
    stored.map(({ counts }) => counts.map(({ name }) => name)),
    [['lap.app'], ['two.app']],
  );
});

test('of the first visits, before robots are known, 1,000 are remembered', async () => {
  const { page, readBy, written } = counter();
  for (let visit = 0; visit < 1_500; visit += 1)
    page({ method: 'GET', headers: NAVIGATION } as unknown as IncomingMessage, 'lap.app');
  readBy(isbot);
  assert.deepEqual(await written(), ['2026-11-29 lap.app 1000 0']);
});

test('a batch that may not be stored is sent again as it is, and what came since in the next one', async () => {
  const sent: Batch[] = [];
  let isFailing = true;
  const { stored, onFailure, ...failing } = counter({
    add: async (batch) => {
      sent.push(batch);
      if (isFailing) throw new Error('no response');
      stored.push(batch);
    },
  });
  failing.botCheck('lap.app');
  await failing.write();
  failing.botCheck('two.app');
  await failing.write();
  assert.equal(onFailure.mock.callCount(), 1, 'reported once');
  isFailing = false;
  await failing.stop();
  const names = sent.map(({ counts }) => counts.map(({ name }) => name).join(' '));
  assert.deepEqual(names, ['lap.app', 'lap.app', 'lap.app', 'two.app']);
  assert.equal(new Set(sent.map(({ batch }) => batch)).size, 2);
  assert.deepEqual(
    stored.map(({ counts, is_on }) => [counts[0]?.name, is_on]),
    [
      ['lap.app', true],
      ['two.app', undefined],
    ],
  );
});

test('many names are sent in calls of 500, and after a failure the rest of them alone', async () => {
  const sent: Batch[] = [];
  const many = counter({
    add: async (batch) => {
      sent.push(batch);
      if (sent.length === 2) throw new Error('no response');
    },
  });
  for (let n = 0; n < 1_200; n += 1) many.botCheck(`name-${n}.example`);
  await many.write();
  await many.stop();
  const [first, ...others] = sent.map(({ batch, counts, is_on }) => [batch, counts.length, is_on]);
  assert.deepEqual(first?.slice(1), [500, true]);
  assert.deepEqual(
    others.map(([, ...rest]) => rest),
    [
      [500, undefined],
      [500, undefined],
      [200, undefined],
    ],
  );
  assert.deepEqual(others[0], others[1], 'sent again as it was');
  assert.equal(new Set(sent.flatMap(({ counts }) => counts.map(({ name }) => name))).size, 1_200);
});

test('two writes at once store each batch once, and each outage is reported once', async () => {
  let isFailing = false;
  const sent: Batch[] = [];
  const { botCheck, write, onFailure } = counter({
    add: async (batch) => {
      sent.push(batch);
      await setImmediate();
      if (isFailing) throw new Error('no response');
    },
  });
  for (let n = 0; n < 600; n += 1) botCheck(`name-${n}.example`);
  await Promise.all([write(), write()]);
  assert.deepEqual(
    sent.map(({ counts }) => counts.length),
    [500, 100],
  );
  for (const outages of [1, 2]) {
    isFailing = true;
    botCheck('lap.app');
    for (let minute = 0; minute < 2; minute += 1) await write();
    assert.equal(onFailure.mock.callCount(), outages);
    isFailing = false;
    await write();
  }
});

test('a stop waits three seconds for a backend that hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hanging = counter({ add: () => new Promise(() => {}) });
  hanging.botCheck('lap.app');
  let isStopped = false;
  void hanging.stop().then(() => {
    isStopped = true;
  });
  t.mock.timers.tick(2_999);
  await setImmediate();
  assert.equal(isStopped, false);
  t.mock.timers.tick(1);
  await setImmediate();
  assert.equal(isStopped, true);
});

test('where visits are not counted, that alone is reported, once', async () => {
  const { stored, ...off } = counter({ isOn: false });
  off.readBy(isbot);
  off.botCheck('lap.app');
  off.page({ method: 'GET', headers: NAVIGATION } as unknown as IncomingMessage, 'lap.app');
  await off.write();
  await off.stop();
  assert.deepEqual(
    stored.map(({ counts, is_on }) => [counts, is_on]),
    [[[], false]],
  );
});
