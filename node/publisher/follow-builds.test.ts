import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Publication } from '#contract/publication.ts';
import { type BuildFollower, followBuilds } from './follow-builds.ts';

const PUBLICATION: Publication = { entries: [], hosts: [], language: 'en', build: 'two' };

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
  const builds = { latest: () => latest, publication: () => PUBLICATION, open: () => step('open') };
  follower = followBuilds(
    builds,
    '1',
    async (_publication, keepOld) => step(keepOld ? 'publish both' : 'publish'),
    (problem) => errors.push(problem),
  );
  return {
    steps,
    errors,
    check: follower.check,
    build: () => {
      latest += '1';
    },
    problem: follower.problem,
  };
}

test('a new build is served between the publication of both catalogues and that of its own', async () => {
  const { steps, check, build } = start();
  await check();
  assert.deepEqual(steps, []);
  build();
  await Promise.all([check(), check()]);
  assert.deepEqual(steps, ['publish both', 'open', 'publish']);
  await check();
  assert.equal(steps.length, 3);
});

test('what fails is tried again from the start, and reported once', async () => {
  for (const name of ['publish both', 'open', 'publish']) {
    const { steps, errors, check, build, problem } = start({ failing: { [name]: 2 } });
    build();
    await check();
    assert.match(problem() ?? '', new RegExp(`no ${name}$`));
    for (let time = 0; time < 3; time += 1) await check();
    assert.deepEqual(steps.slice(-3), ['publish both', 'open', 'publish'], name);
    assert.equal(errors.length, 1);
    assert.equal(problem(), undefined);
    follower?.stop();
  }
});
