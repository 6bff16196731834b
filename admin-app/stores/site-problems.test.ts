import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { readSiteProblems, SiteProblems } from '../api/health.ts';
import { createSiteProblems } from './site-problems.ts';

beforeEach(() => mock.restoreAll());

const WRONG: SiteProblems = { catalogue: 'catalogue.yaml:12:5  entry 2 (lap.app)', pages: undefined };
const NONE = { catalogue: undefined, pages: undefined };

function problemsOf(...responses: (SiteProblems | 'unavailable' | Error)[]) {
  const read = mock.fn<typeof readSiteProblems>(async () => {
    const response = responses.shift() ?? {};
    if (response instanceof Error) throw response;
    return response;
  });
  const polling = new AbortController();
  const site = createSiteProblems(read);
  return { ...site, read, polling, check: () => site.checkSite(polling.signal) };
}

test('a problem is shown until it is gone', async () => {
  const { $siteProblems, check } = problemsOf(WRONG, {});
  assert.deepEqual($siteProblems.get(), {});
  await check();
  assert.deepEqual($siteProblems.get(), WRONG);
  await check();
  assert.deepEqual($siteProblems.get(), NONE);
});

test('the same problem is not shown anew', async () => {
  const { $siteProblems, check } = problemsOf(WRONG, { ...WRONG });
  await check();
  const changes = mock.fn();
  $siteProblems.listen(changes);
  await check();
  assert.equal(changes.mock.callCount(), 0);
});

test('a failed reading is reported to the poller and leaves what was known', async () => {
  const { $siteProblems, check } = problemsOf(WRONG, new Error('offline'));
  await check();
  await assert.rejects(check(), /offline/);
  assert.deepEqual($siteProblems.get(), WRONG);
});

test('a server without a report is read once for each sign-in', async () => {
  const { $siteProblems, check, forgetSite, read } = problemsOf('unavailable', WRONG);
  await check();
  await check();
  assert.equal(read.mock.callCount(), 1);
  assert.deepEqual($siteProblems.get(), {});
  forgetSite();
  await check();
  assert.deepEqual($siteProblems.get(), WRONG);
});

test('a response after signing out is dropped', async () => {
  const { $siteProblems, checkSite, forgetSite, read, polling } = problemsOf();
  const response = Promise.withResolvers<SiteProblems>();
  read.mock.mockImplementationOnce(() => response.promise);
  const late = checkSite(polling.signal);
  polling.abort();
  forgetSite();
  response.resolve(WRONG);
  await late;
  assert.deepEqual($siteProblems.get(), {});
});

test('why no offer can be made is read once, and stays while other problems come and go', async () => {
  const readBotCheck = mock.fn(async () => 'No offer can be made.');
  const { $siteProblems, checkSite, forgetSite } = createSiteProblems(async () => WRONG, readBotCheck);
  const { signal } = new AbortController();
  await checkSite(signal);
  await checkSite(signal);
  assert.deepEqual($siteProblems.get(), { ...WRONG, botCheck: 'No offer can be made.' });
  assert.equal(readBotCheck.mock.callCount(), 1);
  forgetSite();
  assert.deepEqual($siteProblems.get(), {});
});
