import { parentPort, workerData } from 'node:worker_threads';
import { solveChallenge } from 'altcha-lib';
import type { Challenge, Proof } from '#contract/bot-check.ts';
import { deriveKey } from '../../src/api/bot-check/derive-key.ts';

const challenge = workerData as Challenge;
const solution = await solveChallenge({ challenge, deriveKey });
if (!solution) throw new Error('no solution in time');
const { counter, derivedKey } = solution;
parentPort?.postMessage({ challenge, solution: { counter, derivedKey } } satisfies Proof);
