/** Makes an offer as a visitor with the proof of work, sends it a second time, and erases it. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { ChallengeSchema } from '#contract/bot-check.ts';
import { eraseCustomer } from '../offers.ts';
import { type Finding, finding } from './findings.ts';
import type { OutsideCheckOptions } from './options.ts';
import { messageOf, type Send } from './requests.ts';

const WHAT = 'offer: is stored once, and erased';

/** @param canErase the secret key opens the project; otherwise no offer is made */
export async function checkOffer(
  send: Send,
  { siteOrigin, domain, usesTurnstile, project }: OutsideCheckOptions,
  canErase: boolean,
): Promise<Finding> {
  const leftOut = (why: string): Finding => ({ status: 'left out', what: WHAT, why });
  if (usesTurnstile) {
    return leftOut('Turnstile’s token comes from a browser only: make an offer on a page, then erase it.');
  }
  if (!canErase) return leftOut('Without the secret key it could not be erased.');
  if (domain === undefined) return leftOut('No domain of the catalogue is for sale.');
  const headers = { origin: siteOrigin };
  const issued = await send('GET', `/functions/v1/bot-check?domain=${domain}`, { headers });
  const token = issued.status === 200 ? await solveProof(issued.json) : undefined;
  if (token === undefined) {
    const problem = `There is no challenge of the bot check (${issued.status}: ${messageOf(issued)}).`;
    return finding(WHAT, problem);
  }
  // example.com takes no mail, so that a confirmation reaches nobody.
  const customer_email = `deployment-test-${crypto.randomUUID()}@example.com`;
  const body = {
    domain_name: domain,
    offer_amount: 'A test of the deployment, erased at once',
    customer_name: 'Test',
    customer_email,
    turnstile_token: token,
  };
  const first = await send('POST', '/functions/v1/order-submit', { body, headers });
  const second = await send('POST', '/functions/v1/order-submit', { body, headers });
  const erased = await eraseCustomer(project, customer_email).catch((error: Error) => error.message);
  if (typeof erased === 'string') {
    return finding(WHAT, `It was not erased: ${erased} Run: npm run erase -- ${customer_email}`);
  }
  const isRight = first.status === 201 && second.status === 200 && erased === 1;
  return finding(
    WHAT,
    isRight
      ? undefined
      : `It responded with ${first.status} (${messageOf(first)}), a second time with ${second.status}, and ${erased} were erased.`,
  );
}

/** Solves a challenge of `bot-check`. Returns the token of an offer, undefined where it is no challenge. */
async function solveProof(body: unknown): Promise<string | undefined> {
  const challenge = ChallengeSchema.safeParse(body).data;
  const solution = challenge && (await solveChallenge({ challenge, deriveKey }));
  if (!solution) return undefined;
  const { counter, derivedKey } = solution;
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
}
