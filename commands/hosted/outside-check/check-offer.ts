/** Makes an offer as a visitor with the proof of work, sends it a second time, and erases it. */

import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { ChallengeSchema } from '#contract/bot-check.ts';
import { sampleOffer } from '#contract/sample-offer.ts';
import { type Finding, finding, messageOf, type OutsideCheckOptions, type Send } from './requests.ts';

const WHAT = 'offer: is stored once, and erased';

/**
 * Always the same, so that a check erases what one that was killed has left. example.com takes no mail: a confirmation
 * reaches nobody.
 */
const CUSTOMER = 'deployment-test@example.com';

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
  const problem = await makeOffer(send, domain, siteOrigin).catch((error: Error) => error.message);
  const erased = await project
    .call('erase_customer', { email: CUSTOMER })
    .catch((error: Error) => error.message);
  if (typeof erased === 'string') {
    return finding(WHAT, `It was not erased: ${erased} Run: npm run erase -- ${CUSTOMER}`);
  }
  return finding(
    WHAT,
    problem ?? (erased === 0 ? 'It was stored, and could not be found again.' : undefined),
  );
}

/** @returns what is wrong */
async function makeOffer(send: Send, domain: string, origin: string): Promise<string | undefined> {
  const headers = { origin };
  const issued = await send('GET', `/functions/v1/bot-check?domain=${domain}`, { headers });
  const challenge = issued.status === 200 ? ChallengeSchema.safeParse(issued.json).data : undefined;
  const solution = challenge && (await solveChallenge({ challenge, deriveKey }));
  if (!solution) return `There is no challenge of the bot check (${issued.status}: ${messageOf(issued)}).`;
  const { counter, derivedKey } = solution;
  const body = sampleOffer({
    domain_name: domain,
    offer_amount: 'A test of the deployment, erased at once',
    customer_name: 'Test',
    customer_email: CUSTOMER,
    turnstile_token: btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } })),
  });
  const first = await send('POST', '/functions/v1/order-submit', { body, headers });
  const second = await send('POST', '/functions/v1/order-submit', { body, headers });
  if (first.status === 201 && second.status === 200) return undefined;
  return `It responded with ${first.status} (${messageOf(first)}), a second time with ${second.status}.`;
}
