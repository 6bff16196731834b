import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChallengeSchema } from '../_shared/contract/bot-check.ts';
import { describeMismatch } from '../_shared/contract/bot-check-provider.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { readSettings } from '../_shared/settings.ts';
import { respondWithChallenge } from './handler.ts';

const ENV = { SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' };
const LISTINGS = fixedListings(
  { names: new Set(['lap.app', 'sold.example']), hosts: [], adminHost: undefined },
  { 'sold.example': 'sold' },
);

function fetchChallenge(query: string, env = {}) {
  const request = new Request(`http://localhost/functions/v1/bot-check${query}`);
  return respondWithChallenge(request, { settings: readSettings({ ...ENV, ...env }), listings: LISTINGS });
}

test('a challenge is bound to its domain', async () => {
  const { status, body } = await fetchChallenge('?domain=lap.app');
  assert.equal(status, 200);
  const { parameters } = ChallengeSchema.parse(body);
  assert.deepEqual(parameters.data, { action: 'order-submit', domain: 'lap.app' });
});

test('bot-check rejects a query without a domain for sale', async () => {
  for (const [query, code] of [
    ['', 'missing'],
    ['?other=1', 'missing'],
    ['?domain=evil.example', 'unknown_domain'],
    ['?domain=LAP.APP', 'unknown_domain'],
    ['?domain=', 'unknown_domain'],
    ['?domain=sold.example', 'domain_sold'],
    ['?purpose=sign-in', 'missing'],
  ] as const) {
    await assert.rejects(fetchChallenge(query), { code }, query);
  }
});

test('bot-check says which provider it expects', async () => {
  for (const [env, provider] of [
    [{}, 'proof_of_work'],
    [{ TURNSTILE_SECRET_KEY: 'secret' }, 'turnstile'],
  ] as const) {
    const { status, body } = await fetchChallenge('?show=provider', env);
    assert.deepEqual([status, body], [200, { provider }]);
    assert.equal(describeMismatch(provider, body), undefined);
  }
  assert.match(
    describeMismatch('turnstile', { provider: 'proof_of_work' }) ?? '',
    /Set TURNSTILE_SECRET_KEY/,
  );
  assert.match(describeMismatch('proof_of_work', { provider: 'turnstile' }) ?? '', /Set TURNSTILE_SITE_KEY/);
  assert.equal(describeMismatch('turnstile', { error: 'Please fill in the domain.' }), undefined);
});

test('bot-check issues no challenge where Turnstile is the bot check', async () => {
  await assert.rejects(fetchChallenge('?domain=lap.app', { TURNSTILE_SECRET_KEY: 'secret' }), {
    code: 'not_found',
  });
});
