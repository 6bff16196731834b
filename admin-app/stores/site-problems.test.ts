import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createSessionCache } from './session-cache.ts';
import { createSiteProblems } from './site-problems.ts';

for (const botCheck of [undefined, 'The pages have another bot check.'])
  test(`the site is read every minute, and the bot check once: ${botCheck ?? 'no problem'}`, async () => {
    const read = mock.fn(async () => ({ pages: 'Could not load.' }));
    const readBotCheck = mock.fn(async () => botCheck);
    const { siteQuery, botCheckQuery } = createSiteProblems(read, readBotCheck);
    const { client, clear } = createSessionCache(() => {});
    for (const _ of ['first', 'second']) {
      assert.deepEqual(await client.query({ ...siteQuery, retry: false }), { pages: 'Could not load.' });
      assert.equal(await client.query(botCheckQuery), botCheck ?? null);
      await client.invalidateQueries();
    }
    assert.deepEqual([read.mock.callCount(), readBotCheck.mock.callCount()], [2, 1]);
    assert.equal(siteQuery.refetchInterval, 60_000);
    clear();
  });
