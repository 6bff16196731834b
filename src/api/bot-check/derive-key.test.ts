import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey as serverDeriveKey } from 'altcha-lib/algorithms/sha';
import { PROOF_WORK } from '#contract/bot-check.ts';
import { deriveKey } from './derive-key.ts';

test('the server accepts the browser’s solution', async () => {
  const hmacSignatureSecret = 'secret';
  const challenge = await createChallenge({
    algorithm: PROOF_WORK.algorithm,
    cost: PROOF_WORK.cost,
    counter: 300,
    deriveKey: serverDeriveKey,
    hmacSignatureSecret,
  });
  const solution = await solveChallenge({ challenge, deriveKey });
  assert.ok(solution);
  const verdict = await verifySolution({
    challenge,
    solution,
    hmacSignatureSecret,
    deriveKey: serverDeriveKey,
  });
  assert.equal(verdict.verified, true);
});
