import { parentPort, workerData } from 'node:worker_threads';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Challenge, Proof } from '#contract/bot-check.ts';

const challenge = workerData as Challenge;
const solution = await solveChallenge({ challenge, deriveKey });
if (!solution) throw new Error('no solution in time');
const { counter, derivedKey } = solution;
parentPort?.postMessage({ challenge, solution: { counter, derivedKey } } satisfies Proof);
