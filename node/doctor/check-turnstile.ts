import * as z from 'zod/mini';
import { type Settings, turnstileTestKeys } from '../config/settings.ts';
import { findBotCheckProblem } from '../hosted-project/bot-check-problem.ts';
import { type Finding, findingsOf } from './finding.ts';

const VerdictSchema = z.looseObject({ 'error-codes': z.optional(z.array(z.string())) });

const { ok, skip, warn, fail } = findingsOf('turnstile');

/**
 * Compares the bot check of the pages with that of a hosted project, then judges the two keys; sends siteverify an
 * invalid token, whose rejection shows whether it knows the secret key.
 */
export async function checkTurnstile(
  { turnstile, supabase }: Pick<Settings, 'turnstile' | 'supabase'>,
  timeoutMs: number,
): Promise<Finding> {
  const mismatch = await findBotCheckProblem({ turnstile, supabase }, timeoutMs);
  if (mismatch !== undefined) return fail(mismatch);
  if (!turnstile) return ok('Turnstile is not set: a proof of work is the bot check.');
  const { secretKey, verifyUrl } = turnstile;
  const tests = turnstileTestKeys(turnstile);
  if (tests.length === 1 && secretKey !== '') {
    return fail(`${tests[0]} is a key for tests and the other is not: copy both from one widget.`);
  }
  if (tests.length > 0) {
    return fail('The keys are for tests, so every offer is rejected: copy both from your widget.');
  }
  if (secretKey === '') {
    return skip('TURNSTILE_SECRET_KEY is not set here, so the keys were not checked.');
  }
  return await requestVerdict(verifyUrl, secretKey, timeoutMs);
}

async function requestVerdict(url: string, secret: string, timeoutMs: number): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: 'doctor' }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { 'error-codes': codes = [] } = VerdictSchema.parse(await response.json());
    if (codes.some((code) => code.endsWith('-input-secret'))) {
      return fail(
        `Cloudflare rejects TURNSTILE_SECRET_KEY (${codes.join(', ')}): copy it from the widget that has the site key.`,
      );
    }
    return codes.includes('invalid-input-response')
      ? ok(
          'Cloudflare knows the secret key. Whether the site key is of the same widget shows in an offer only.',
        )
      : warn(`${host} responded with ${response.status} ${codes.join(', ')}. Run this again.`);
  } catch (error) {
    const { name, message } = error as Error;
    const why = name === 'TimeoutError' ? 'no response in time' : message;
    return fail(
      `${host} cannot be reached from this machine (${why}), so no offer can be checked: allow it in the firewall.`,
    );
  }
}
