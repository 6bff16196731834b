import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createBuilds } from './builds.ts';

const START = Date.UTC(2026, 10, 29);
let started = 0;
let end: (problem?: string) => void = () => {};
let breakOff: (error: Error) => void = () => {};
let free = true;
let isFresh = false;
let readAt: number | undefined = 0;
/** When the latest build began. */
let builtAt = 0;
let confirmed = 0;
let problems: string[] = [];
let serveProblem: string | undefined;
let publishError: Error | undefined;
/** Of what a build is made from. */
let readError: Error | undefined;

function create() {
  return createBuilds({
    build: () => {
      started += 1;
      const at = Date.now();
      return new Promise((resolve, reject) => {
        breakOff = reject;
        end = (problem) => {
          if (problem === undefined) builtAt = at;
          resolve(problem);
        };
      });
    },
    isUpToDate: () => {
      if (readError) throw readError;
      return isFresh;
    },
    hasMemory: () => free,
    serve: async () => {
      if (serveProblem === undefined) readAt = builtAt;
    },
    confirm: async (at) => {
      if (publishError) throw publishError;
      confirmed += 1;
      readAt = at.getTime();
    },
    servedReadAt: () => readAt,
    serveProblem: () => serveProblem,
    command: 'cd /srv/shop && npm run build',
    onProblem: (problem) => problems.push(problem),
  });
}
beforeEach((context) => {
  if ('mock' in context) context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START });
  [started, free, isFresh, readAt, confirmed, problems] = [0, true, false, 0, 0, []];
  [serveProblem, publishError, readError] = [undefined, undefined, undefined];
});

/** @param ms passes */
async function pass(context: { mock: { timers: { tick(ms: number): void } } }, ms = 1): Promise<void> {
  context.mock.timers.tick(ms);
  await turn();
}

test('changes during a build share the next one, and each is live once its pages are served', async (context) => {
  context.mock.method(performance, 'now', () => Date.now());
  const builds = create();
  for (const batch of ['a', 'a']) builds.request(batch);
  assert.deepEqual(builds.state(), { status: 'waiting', about_seconds: null, changes: ['a'], live: [] });
  await pass(context);
  assert.equal(builds.state().status, 'building');
  await pass(context);
  for (const batch of ['b', 'c']) builds.request(batch);
  await pass(context, 3_000);
  assert.equal(started, 1);
  end();
  await turn();
  const { about_seconds, ...state } = builds.state();
  assert.deepEqual([about_seconds, state.changes, state.live], [3, ['b', 'c'], ['a']]);
  await pass(context);
  assert.equal(started, 2);
  end();
  await turn();
  await pass(context);
  const { status, changes, live } = builds.state();
  assert.deepEqual([status, changes, live, started], ['idle', [], ['a', 'b', 'c'], 2]);
  assert.deepEqual([builds.state().about_seconds, problems], [1, []]);
  await pass(context, 11 * 60_000);
  assert.deepEqual(builds.state().live, []);
});

test('at most 30 builds begin in 10 minutes, those that fail included, and the next one when the first is as old', async (context) => {
  const builds = create();
  for (let count = 0; count < 30; count += 1) {
    builds.request(`${count}`);
    await pass(context, 1_000);
    end(count % 2 === 0 ? undefined : 'wrong');
    await turn();
  }
  assert.equal(started, 30);
  builds.request('late');
  await pass(context);
  assert.equal(builds.state().status, 'too_many');
  await pass(context, 10 * 60_000 - 32_000);
  assert.equal(started, 30);
  await pass(context, 3_000);
  assert.equal(started, 31);
});

test('without memory nothing is built, and the command is named, until there is some', async (context) => {
  free = false;
  const builds = create();
  builds.request('a');
  await pass(context);
  const { status, command } = builds.state();
  assert.deepEqual([started, status, command], [0, 'no_memory', 'cd /srv/shop && npm run build']);
  free = true;
  await pass(context, 30_000);
  assert.equal(started, 1);
});

test('a failing build is reported with its own error until the next one', async (context) => {
  const builds = create();
  builds.request('a');
  await pass(context);
  end('The pages could not be built.');
  await turn();
  const { status, problem, changes } = builds.state();
  assert.deepEqual([status, problem, changes], ['failed', 'The pages could not be built.', ['a']]);
  assert.deepEqual(problems, ['The pages could not be built.']);
  builds.request('b');
  await pass(context);
  end();
  await turn();
  assert.deepEqual([builds.state().status, builds.state().live], ['idle', ['a', 'b']]);
});

test('a change during a build that fails has a build of its own', async (context) => {
  const builds = create();
  builds.request('a');
  await pass(context);
  builds.request('b');
  end('The pages could not be built.');
  await turn();
  await pass(context);
  assert.equal(started, 2);
  end();
  await turn();
  assert.deepEqual([builds.state().status, builds.state().live], ['idle', ['a', 'b']]);
});

test('a build that cannot begin, or whose pages are not served, is reported, and the next one is made', async (context) => {
  const builds = create();
  builds.request('a');
  await pass(context);
  breakOff(new Error('spawn ENOMEM'));
  await turn();
  assert.deepEqual([builds.state().status, builds.state().problem], ['failed', 'Error: spawn ENOMEM']);
  serveProblem = 'The latest build is not served yet: no response';
  builds.request('b');
  await pass(context);
  end();
  await turn();
  assert.deepEqual([builds.state().status, builds.state().problem], ['failed', serveProblem]);
  serveProblem = undefined;
  builds.request('c');
  await pass(context);
  end();
  await turn();
  assert.deepEqual([builds.state().status, builds.state().live], ['idle', ['a', 'b', 'c']]);
});

test('without a database for a publication that is reported, and the next request makes up for it', async (context) => {
  isFresh = true;
  publishError = new Error('no response');
  const builds = create();
  builds.request('a');
  await pass(context);
  const { status, problem, changes } = builds.state();
  assert.deepEqual([status, problem, changes], ['failed', 'no response', ['a']]);
  publishError = undefined;
  builds.request('b');
  await pass(context);
  assert.deepEqual([builds.state().status, builds.state().live], ['idle', ['a', 'b']]);
});

test('a build by hand makes changes live, and none is made where the pages are the same', async (context) => {
  const builds = create();
  builds.request('a');
  await pass(context);
  end('out of memory');
  await turn();
  readAt = Date.now();
  assert.deepEqual(builds.state(), { status: 'idle', about_seconds: null, changes: [], live: ['a'] });
  isFresh = true;
  builds.request('b');
  await pass(context);
  assert.deepEqual([started, confirmed, builds.state().live], [1, 1, ['a', 'b']]);
});

test('what cannot be read is built, so that the build reports it', async (context) => {
  readError = new Error('theme.css is a link that leads back to itself');
  const builds = create();
  builds.request('a');
  await pass(context);
  assert.deepEqual([started, builds.state().status, problems], [1, 'building', []]);
});

test('an edit by hand is built without a batch, and none is live while it is unknown what is served', async (context) => {
  const builds = create();
  builds.request();
  await pass(context);
  assert.deepEqual(builds.state(), { status: 'building', about_seconds: null, changes: [], live: [] });
  builds.request('a');
  readAt = undefined;
  assert.deepEqual(builds.state().changes, ['a']);
});

test('nothing begins, and nothing is reported, after the end', async (context) => {
  const builds = create();
  builds.request('a');
  await pass(context);
  builds.stop();
  end('was killed');
  await turn();
  builds.request('b');
  await pass(context, 60_000);
  assert.deepEqual([started, problems], [1, []]);
  const waiting = create();
  waiting.request('c');
  waiting.stop();
  await pass(context, 60_000);
  assert.equal(started, 1);
});
