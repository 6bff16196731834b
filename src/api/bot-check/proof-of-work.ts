import * as z from 'zod/mini';
import { type Challenge, ChallengeSchema, PROOF_LIFETIME_SECONDS } from '#contract/bot-check.ts';
import { functions, RESPONSE_TIMEOUT_MS } from '../functions.ts';
import { timeoutSignal } from '../timeout-signal.ts';
import type { BotCheckProvider, BotCheckReport } from './provider.ts';
import { solve } from './solve.ts';
import { remainingLifetime, untilVisible, wait } from './waiting.ts';

/** Proof of work in the visitor's browser: no third party, no click, and no need for HTTPS. */
export const proofOfWork: BotCheckProvider = {
  boundToDomain: true,
  start(_host, report, domain = '') {
    let current = new AbortController();
    const renew = (other = domain) => {
      current.abort();
      current = new AbortController();
      void keepReady(other, report, current.signal);
    };
    renew();
    return { renew, stop: () => current.abort() };
  },
};

/** Delays before the repetitions of a check that failed; the last one applies to all further ones. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000];
/** Failures in a row that nobody sees, such as those of a tunnel. */
const QUIET_FAILURES = 2;

/**
 * Fetches and solves a challenge, and another one each time the last has expired. After a failure it goes on by itself, the
 * first times without a report.
 */
async function keepReady(domain: string, report: BotCheckReport, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    await keepReadyUntilFailure(domain, signal, {
      ...report,
      ready(token) {
        failures = 0;
        report.ready(token);
      },
    }).catch(() => {});
    if (signal.aborted) return;
    if (failures >= QUIET_FAILURES) report.failed();
    const delayMs = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
    await wait(Date.now() + delayMs, signal).catch(() => {});
    // A tab in the background does no work.
    await untilVisible(signal);
  }
}

/** @throws where there is no challenge or no solution */
async function keepReadyUntilFailure(
  domain: string,
  signal: AbortSignal,
  report: BotCheckReport,
): Promise<void> {
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
    signal: timeoutSignal(RESPONSE_TIMEOUT_MS, signal),
  });
  if (error) throw error;
  return z.parse(ChallengeSchema, data);
}
