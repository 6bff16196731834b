import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from '../../../src/api/bot-check/derive-key.ts';
import { type Challenge, ChallengeSchema, PROOF_WORK, type Proof } from './contract/bot-check.ts';
import { issueChallenge, readProof, verifyProof } from './proof-of-work.ts';
import { readSettings } from './settings.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });
const DOMAIN = 'lap.app';

async function solve(challenge: Challenge): Promise<Proof> {
  const solution = await solveChallenge({ challenge, deriveKey });
  assert.ok(solution);
  return { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } };
}
const encode = (proof: unknown) => btoa(JSON.stringify(proof));

test('a solved challenge is verified, with its domain', async () => {
  const challenge = await issueChallenge(SETTINGS, DOMAIN);
  assert.deepEqual(ChallengeSchema.parse(challenge), challenge);
  const read = readProof(encode(await solve(challenge)));
  assert.ok(read);
  assert.equal(read.challenge.parameters.data.domain, DOMAIN);
  assert.equal(verifyProof(SETTINGS, read), 'solved');
});

test('solutions are spread over the whole range of the search', async () => {
  const counters: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    counters.push((await solve(await issueChallenge(SETTINGS, DOMAIN))).solution.counter);
  }
  assert.ok(counters.every((counter) => counter >= 0 && counter <= PROOF_WORK.maxCounter));
  assert.ok(Math.min(...counters) < 2_000, `12 solutions above 2,000: ${counters}`);
  assert.ok(Math.max(...counters) > 1_000, `12 solutions below 1,000: ${counters}`);
  assert.equal(PROOF_WORK.cost * PROOF_WORK.maxCounter, 243_200, 'rounds of SHA-256, at most');
});

test('an expired proof differs from a wrong one, which stays wrong when it expires', async () => {
  const soon = Math.floor(Date.now() / 1000) - 5;
  const proof = await solve(await issueChallenge(SETTINGS, DOMAIN, soon));
  const read = readProof(encode(proof));
  assert.ok(read);
  assert.equal(verifyProof(SETTINGS, read), 'expired');
  for (const change of [
    { ...proof, solution: { ...proof.solution, derivedKey: 'ab'.repeat(32) } },
    { ...proof, challenge: { ...proof.challenge, signature: 'f'.repeat(64) } },
    {
      ...proof,
      challenge: { ...proof.challenge, parameters: { ...proof.challenge.parameters, expiresAt: soon - 1 } },
    },
  ]) {
    const changed = readProof(encode(change));
    assert.ok(changed);
    assert.equal(verifyProof(SETTINGS, changed), 'wrong');
  }
});

test('a changed proof is wrong', async () => {
  const proof = await solve(await issueChallenge(SETTINGS, DOMAIN));
  const { challenge, solution } = proof;
  const withParameters = (change: object) => ({
    solution,
    challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } },
  });
  const changes: Record<string, unknown> = {
    'another domain': withParameters({ data: { action: 'order-submit', domain: 'sample.app' } }),
    'another nonce': withParameters({ nonce: '00' }),
    'a later end': withParameters({ expiresAt: challenge.parameters.expiresAt + 60 }),
    'no signature of the key': withParameters({ keySignature: undefined }),
    'another signature of the key': withParameters({ keySignature: 'ab'.repeat(32) }),
    'the mere prefix': { challenge, solution: { ...solution, derivedKey: challenge.parameters.keyPrefix } },
    'a key in capitals': {
      challenge,
      solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() },
    },
    'an empty key': { challenge, solution: { ...solution, derivedKey: '' } },
    'a counter that is no whole number': { challenge, solution: { ...solution, counter: 1.5 } },
    'a counter beyond the range': { challenge, solution: { ...solution, counter: 2 ** 40 } },
  };
  for (const [what, change] of Object.entries(changes)) {
    const read = readProof(encode(change));
    assert.ok(read, what);
    assert.equal(verifyProof(SETTINGS, read), 'wrong', what);
  }
  const other = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_other' });
  const read = readProof(encode(proof));
  assert.ok(read);
  assert.equal(verifyProof(other, read), 'wrong', 'another server');
});

test('a text that is no proof of work is not parsed', async () => {
  const proof = await solve(await issueChallenge(SETTINGS, DOMAIN));
  const withData = (data: unknown) => ({
    ...proof,
    challenge: { ...proof.challenge, parameters: { ...proof.challenge.parameters, data } },
  });
  for (const token of [
    '',
    'no base64!',
    btoa('no JSON'),
    ...[null, [], {}, { challenge: null }].map(encode),
    ...[undefined, null, {}, { action: 'other', domain: DOMAIN }, { action: 'order-submit' }].map((data) =>
      encode(withData(data)),
    ),
    encode({
      ...proof,
      challenge: { ...proof.challenge, parameters: { ...proof.challenge.parameters, cost: 1 } },
    }),
  ]) {
    assert.equal(readProof(token), undefined, token.slice(0, 40));
  }
});
