import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Publication, Publish } from '#contract/publication.ts';
import { OlderBuildError, publishServed } from './publish-served.ts';

const PUBLICATION: Publication = { entries: [], hosts: [], language: 'en', build: 'one', settings: {} };

test('the catalogue of the served pages replaces the published one', async () => {
  const calls: unknown[] = [];
  const publish: Publish = async (...args) => void calls.push(args);
  assert.equal(await publishServed(PUBLICATION, publish, assert.fail), true);
  assert.deepEqual(calls, [[PUBLICATION, false]]);
  assert.equal(await publishServed(PUBLICATION, undefined, assert.fail), true);
});

test('a failing publication at the start is reported and tried again, but not that of an older build', async () => {
  for (const [error, isDone, message] of [
    [new Error('no response'), false, /^no response\nThe pages are served; publishing is tried again\.$/],
    [
      new OlderBuildError('A newer one.'),
      true,
      /^A newer one\.\nThe pages of the older build are served here: /,
    ],
  ] as const) {
    const problems: string[] = [];
    const fail = async () => {
      throw error;
    };
    assert.equal(await publishServed(PUBLICATION, fail, (problem) => problems.push(problem)), isDone);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', message);
  }
});
