import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChallengeSchema } from '../_shared/contract/bot-check.ts';
import { readSettings } from '../_shared/settings.ts';
import { respondWithChallenge } from './handler.ts';

const ENV = { SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' };
const SITE = { names: new Set(['lap.app']), hosts: [], adminHost: undefined };

async function ask(query: string, env = {}) {
  const request = new Request(`http://localhost/functions/v1/bot-check${query}`);
  const settings = readSettings({ ...ENV, ...env });
  const response = await respondWithChallenge(request, { settings, site: SITE });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a challenge for an offer names its domain, and has the least work', async () => {
  const { status, body } = await ask('?domain=lap.app');
  assert.equal(status, 200);
  const { parameters } = ChallengeSchema.parse(body);
  assert.deepEqual(parameters.data, { action: 'order-submit', domain: 'lap.app' });
  assert.equal(parameters.cost, 64);
});

test('a query without a domain that is for sale is rejected, and there is no challenge to sign in', async () => {
  for (const [query, status, code] of [
    ['', 400, 'missing'],
    ['?other=1', 400, 'missing'],
    ['?domain=evil.example', 422, 'unknown_domain'],
    ['?domain=LAP.APP', 422, 'unknown_domain'],
    ['?domain=', 422, 'unknown_domain'],
    ['?purpose=sign-in', 400, 'missing'],
  ] as const) {
    const seen = await ask(query);
    assert.deepEqual([seen.status, seen.body.code], [status, code], query);
  }
});

test('with Turnstile there is no challenge for an offer', async () => {
  assert.equal((await ask('?domain=lap.app', { TURNSTILE_SECRET_KEY: 'secret' })).status, 404);
});
