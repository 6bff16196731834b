/** Makes an offer as a visitor with the proof of work, sends it a second time, and erases it. */
import { solveProof } from '../solve-proof.ts';
import { type Finding, finding } from './findings.ts';
import { messageOf, type Send } from './requests.ts';

export interface OfferCheckOptions {
  /** An origin whose pages make offers, such as `https://lap.app`. */
  readonly siteOrigin: string;
  /** A domain that is for sale; undefined where none is. */
  readonly domain: string | undefined;
  /** Turnstile is the bot check of the pages. */
  readonly usesTurnstile: boolean;
  /** Erases a customer's offers, as the owner does. @returns their number */
  eraseCustomer(email: string): Promise<number>;
}

const WHAT = 'offer: is stored once, and erased';

/** @param canErase the secret key opens the project; otherwise no offer is made */
export async function* checkOffer(
  send: Send,
  { siteOrigin, domain, usesTurnstile, eraseCustomer }: OfferCheckOptions,
  canErase: boolean,
): AsyncGenerator<Finding> {
  const leftOut = usesTurnstile
    ? 'Turnstile’s token comes from a browser only: make an offer on a page, then erase it.'
    : canErase
      ? domain === undefined && 'No domain of the catalogue is for sale.'
      : 'Without the secret key it could not be erased.';
  if (leftOut || domain === undefined) {
    yield { status: 'left out', what: WHAT, why: leftOut || '' };
    return;
  }
  const headers = { origin: siteOrigin };
  const issued = await send('GET', `/functions/v1/bot-check?domain=${domain}`, { headers });
  const token = issued.status === 200 ? await solveProof(issued.json) : undefined;
  if (token === undefined) {
    yield finding(WHAT, `There is no challenge of the bot check (${issued.status}: ${messageOf(issued)}).`);
    return;
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
  const erased = await eraseCustomer(customer_email).catch((error: Error) => error.message);
  if (typeof erased === 'string') {
    yield finding(WHAT, `It was not erased: ${erased} Run: npm run erase -- ${customer_email}`);
    return;
  }
  const isRight = first.status === 201 && second.status === 200 && erased === 1;
  yield finding(
    WHAT,
    isRight
      ? undefined
      : `It responded with ${first.status} (${messageOf(first)}), a second time with ${second.status}, and ${erased} were erased.`,
  );
}
