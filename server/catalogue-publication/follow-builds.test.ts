import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Publication } from '#contract/publication.ts';
import { type BuildFollower, followBuilds } from './follow-builds.ts';

const PUBLICATION: Publication = { entries: [], hosts: [], language: 'en', build: '', settings: {} };

let follower: BuildFollower | undefined;
afterEach(() => follower?.stop());

function start({ failing = {} as Record<string, number> } = {}) {
  const steps: string[] = [];
  const errors: string[] = [];
  let latest = '1';
  const step = (name: string) => {
    if ((failing[name] ?? 0) > 0) {
      failing[name] = (failing[name] ?? 0) - 1;
      throw new Error(`no ${name}`);
    }
    steps.push(name);
  };
  const builds = {
    latest: () => latest,
    publication: (folder: string) =>
      folder === '1' || !failing.publication ? { ...PUBLICATION, build: `build ${folder}` } : undefined,
    load: () => {
      step('load');
      return () => step('switch');
    },
  };
  follower = followBuilds(
    builds,
    '1',
    async ({ readAt = '' }, keepPrevious) => step(keepPrevious ? 'publish both' : `publish${readAt}`),
    (problem) => errors.push(problem),
  );
  return {
    steps,
    errors,
    check: follower.check,
    confirm: follower.confirm,
    readAt: follower.readAt,
    build: () => {
      latest += '1';
    },
    problem: follower.problem,
    served: follower.build,
  };
}

const STEPS = ['load', 'publish both', 'switch', 'publish'];

test('a new build is loaded, and served between the publication of both catalogues and that of its own', async () => {
  const { steps, check, build, served } = start();
  await check();
  assert.deepEqual(steps, []);
  assert.equal(served(), 'build 1');
  build();
  await Promise.all([check(), check()]);
  assert.deepEqual(steps, STEPS);
  assert.equal(served(), 'build 11');
  await check();
  assert.equal(steps.length, 4);
});

test('a build that would be made again is published again, as read now', async () => {
  const { steps, confirm, readAt, build } = start();
  assert.equal(readAt(), undefined);
  await confirm(new Date(0));
  assert.equal(readAt(), 0);
  assert.deepEqual(steps, ['publish1970-01-01T00:00:00.000Z']);
  build();
  await confirm(new Date(1));
  assert.deepEqual(steps.slice(1), [...STEPS, 'publish1970-01-01T00:00:00.001Z']);
});

test('a build that cannot be loaded is not published', async () => {
  const { steps, check, build, served } = start({ failing: { load: 1 } });
  build();
  await check();
  assert.deepEqual(steps, []);
  assert.equal(served(), 'build 1');
});

test('a build without its catalogue is reported, and not served', async () => {
  const { steps, check, build, problem } = start({ failing: { publication: 1 } });
  build();
  await check();
  assert.match(problem() ?? '', /no publication\.json/);
  assert.deepEqual(steps, []);
});

test('what fails is tried again from the start, and reported once', async () => {
  for (const name of STEPS) {
    const { steps, errors, check, build, problem, served } = start({ failing: { [name]: 2 } });
    build();
    await check();
    assert.equal(served(), 'build 1');
    assert.match(problem() ?? '', new RegExp(`no ${name}$`));
    for (let time = 0; time < 3; time += 1) await check();
    assert.deepEqual(steps.slice(-4), STEPS, name);
    assert.equal(errors.length, 1);
    assert.equal(problem(), undefined);
    follower?.stop();
  }
});
