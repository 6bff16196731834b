import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import {
  type Challenge,
  ChallengeSchema,
  MAX_STEP,
  PROOF_WORK,
  type Proof,
  SIGN_IN_MAX_COUNTER,
} from './contract/bot-check.ts';
import { issueChallenge, type ProofPurpose, readProof, verifyProof } from './proof-of-work.ts';
import { readSettings } from './settings.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });
const OFFER: ProofPurpose = { action: 'order-submit', domain: 'lap.app' };

async function solve(challenge: Challenge): Promise<Proof> {
  const solution = await solveChallenge({ challenge, deriveKey });
  assert.ok(solution);
  return { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } };
}
const encode = (proof: unknown) => btoa(JSON.stringify(proof));

test('a solved challenge is verified, with its purpose and its step', async () => {
  for (const step of [0, 2, MAX_STEP]) {
    const challenge = await issueChallenge(SETTINGS, OFFER, step);
    assert.deepEqual(ChallengeSchema.parse(challenge), challenge);
    const proof = await solve(challenge);
    const read = readProof(encode(proof));
    assert.deepEqual(read?.purpose, OFFER);
    assert.equal(read?.step, step);
    assert.ok(read);
    assert.equal(verifyProof(SETTINGS, read), 'solved');
  }
});

test('each step doubles the work, up to 16 times', async () => {
  const costs = await Promise.all(
    [0, 1, 2, 3, 4, 5, 100].map(
      async (step) => (await issueChallenge(SETTINGS, OFFER, step)).parameters.cost,
    ),
  );
  assert.deepEqual(costs, [64, 128, 256, 512, 1_024, 1_024, 1_024]);
});

test('solutions are spread over the whole range of the search', async () => {
  const counters: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    counters.push((await solve(await issueChallenge(SETTINGS, OFFER, 0))).solution.counter);
  }
  assert.ok(counters.every((counter) => counter >= 0 && counter <= PROOF_WORK.maxCounter));
  assert.ok(Math.min(...counters) < 2_000, `12 solutions above 2,000: ${counters}`);
});

test('a challenge to sign in takes 16 times the work', async () => {
  const purpose: ProofPurpose = { action: 'sign-in', account: 'ab'.repeat(32) };
  const { parameters } = await issueChallenge(SETTINGS, purpose, 0);
  assert.equal(parameters.cost, PROOF_WORK.cost);
  assert.equal(SIGN_IN_MAX_COUNTER, 16 * PROOF_WORK.maxCounter);
  const proof = await solve(await issueChallenge(SETTINGS, purpose, 0));
  assert.ok(proof.solution.counter <= SIGN_IN_MAX_COUNTER);
  const read = readProof(encode(proof));
  assert.deepEqual(read?.purpose, purpose);
  assert.equal((await issueChallenge(SETTINGS, purpose, 4)).parameters.cost, 16 * PROOF_WORK.cost);
});

test('an expired proof differs from a wrong one, which stays wrong when it expires', async () => {
  const soon = Math.floor(Date.now() / 1000) - 5;
  const proof = await solve(await issueChallenge(SETTINGS, OFFER, 0, soon));
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
  const proof = await solve(await issueChallenge(SETTINGS, OFFER, 0));
  const { challenge, solution } = proof;
  const withParameters = (change: object) => ({
    solution,
    challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } },
  });
  const changes: Record<string, unknown> = {
    'another domain': withParameters({ data: { action: 'order-submit', domain: 'sample.app' } }),
    'another action': withParameters({ data: { action: 'sign-in', account: 'a' } }),
    'more work': withParameters({ cost: 1_024 }),
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
  const proof = await solve(await issueChallenge(SETTINGS, OFFER, 0));
  const withData = (data: unknown) => ({
    ...proof,
    challenge: { ...proof.challenge, parameters: { ...proof.challenge.parameters, data } },
  });
  for (const token of [
    '',
    'no base64!',
    btoa('no JSON'),
    ...[null, [], {}, { challenge: null }].map(encode),
    ...[undefined, null, {}, { action: 'other' }, { action: 'order-submit' }, { action: 'sign-in' }].map(
      (data) => encode(withData(data)),
    ),
    encode({
      ...proof,
      challenge: { ...proof.challenge, parameters: { ...proof.challenge.parameters, cost: 1 } },
    }),
  ]) {
    assert.equal(readProof(token), undefined, token.slice(0, 40));
  }
});

test('all proofs of one offer have one identity', async () => {
  const first = readProof(encode(await solve(await issueChallenge(SETTINGS, OFFER, 0))));
  assert.equal(first?.identity, first?.challenge.signature);
  const harder = await issueChallenge(SETTINGS, { ...OFFER, replaces: first?.identity ?? '' }, 1);
  const second = readProof(encode(await solve(harder)));
  assert.equal(second?.identity, first?.identity);
});
