import * as z from 'zod/mini';
import {
  AGAIN,
  type Challenge,
  ChallengeSchema,
  PROOF_LIFETIME_SECONDS,
  type Proof,
} from '#contract/bot-check.ts';
import { functions, RESPONSE_TIMEOUT_MS } from '../functions.ts';
import { timeoutSignal } from '../timeout-signal.ts';
import type { BotCheckProvider, BotCheckReport } from './provider.ts';
import { repeat } from './repeat.ts';
import { remainingLifetime, untilVisible, wait } from './waiting.ts';

/** The domains that this page has had challenges for. */
const challenged = new Set<string>();

/** Proof of work in the visitor's browser: no third party, no click, and no need for HTTPS. */
export const proofOfWork: BotCheckProvider = {
  boundToDomain: true,
  start(_host, report, domain = '') {
    let current = new AbortController();
    const renew = (other = domain) => {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      void repeat(
        (succeeded) =>
          keepReady(other, signal, {
            ...report,
            ready(token) {
              succeeded();
              report.ready(token);
            },
          }),
        report,
        signal,
      );
    };
    renew();
    return { renew, stop: () => current.abort() };
  },
};

/** Fetches and solves a challenge, and another one each time the last has expired. */
async function keepReady(domain: string, signal: AbortSignal, report: BotCheckReport): Promise<void> {
  while (!signal.aborted) {
    const challenge = await fetchChallenge(domain, signal);
    const lifetime = remainingLifetime(challenge.parameters.expiresAt, PROOF_LIFETIME_SECONDS);
    const deadline = Date.now() + lifetime;
    report.ready(await solve(challenge, signal));
    await wait(deadline, signal);
    report.expired();
    // A tab in the background does no work.
    await untilVisible(signal);
  }
}

async function fetchChallenge(domain: string, signal: AbortSignal): Promise<Challenge> {
  const { data, error } = await functions.invoke(`bot-check?domain=${domain}`, {
    method: 'GET',
    headers: challenged.has(domain) ? { 'x-client-info': AGAIN } : {},
    signal: timeoutSignal(RESPONSE_TIMEOUT_MS, signal),
  });
  // Without a network `error` is a TypeError, as where an API is missing.
  if (error) throw error instanceof ReferenceError ? error : new Error('No challenge.', { cause: error });
  const challenge = z.parse(ChallengeSchema, data);
  challenged.add(domain);
  return challenge;
}

/** Solves a challenge in a worker, so that typing stays smooth. Returns the token: all of its JSON is ASCII. */
async function solve(challenge: Challenge, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' });
  try {
    const solution = await new Promise<Proof['solution']>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      // Without a message the script could not be loaded.
      worker.onerror = ({ message }) =>
        reject(message ? new TypeError(message) : new Error('The proof-of-work worker could not be loaded.'));
      worker.onmessage = ({ data }: MessageEvent<Proof['solution'] | Error>) =>
        data instanceof Error ? reject(data) : resolve(data);
      worker.postMessage(challenge);
    });
    return btoa(JSON.stringify({ challenge, solution } satisfies Proof));
  } finally {
    worker.terminate();
  }
}
