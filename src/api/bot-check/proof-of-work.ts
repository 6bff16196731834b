import * as z from 'zod/mini';
import { type Challenge, ChallengeSchema, PROOF_LIFETIME_SECONDS, type Proof } from '#contract/bot-check.ts';
import { ANSWER_TIMEOUT, functions } from '../functions.ts';
import type { BotCheckProvider, BotCheckReport } from './provider.ts';
import { remainingLifetime, untilVisible, wait } from './waiting.ts';

/** The visitor's processor works for about a second; no third party, nothing to click, works without HTTPS too. */
export const proofOfWork: BotCheckProvider = {
  start(_host, report) {
    let current = new AbortController();
    void keepReady(report, current.signal);
    return {
      renew() {
        current.abort();
        current = new AbortController();
        void keepReady(report, current.signal);
      },
      stop: () => current.abort(),
    };
  },
};

/** Fetches and solves one challenge after the other, each when the one before has expired. */
async function keepReady(report: BotCheckReport, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const challenge = await fetchChallenge(signal);
      const lifetime = remainingLifetime(challenge.parameters.expiresAt, PROOF_LIFETIME_SECONDS);
      const deadline = Date.now() + lifetime;
      const solution = await solve(challenge, signal);
      report.ready(encode({ challenge, solution }));
      await wait(deadline, signal);
      report.expired();
      // A tab nobody looks at does no work.
      await untilVisible(signal);
    }
  } catch {
    if (!signal.aborted) report.failed();
  }
}

async function fetchChallenge(signal: AbortSignal): Promise<Challenge> {
  const { data, error } = await functions.invoke('bot-check', {
    method: 'GET',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT)]),
  });
  if (error) throw error;
  return z.parse(ChallengeSchema, data);
}

/** In a worker of its own, so that typing stays smooth. */
function solve(challenge: Challenge, signal: AbortSignal): Promise<Proof['solution']> {
  return new Promise<Proof['solution']>((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' });
    const settle = (then: () => void) => {
      worker.terminate();
      then();
    };
    signal.addEventListener('abort', () => settle(() => reject(signal.reason)), { once: true });
    worker.onerror = () => settle(() => reject(new Error('The proof-of-work worker failed.')));
    worker.onmessage = ({ data }: MessageEvent<Proof['solution']>) => settle(() => resolve(data));
    worker.postMessage(challenge);
  });
}

/** Base64 of the JSON; all of it is ASCII. */
function encode(proof: Proof): string {
  return btoa(JSON.stringify(proof));
}
