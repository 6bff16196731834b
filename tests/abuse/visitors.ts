/** Visitors who make one offer after the other, and repeat one whose response got lost with the same token, as the form does. */

import { setTimeout as pause } from 'node:timers/promises';
import { sampleOffer } from '#contract/sample-offer.ts';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import type { Product } from '../support/product.ts';
import { functionCall } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { runsOf } from './short-form.ts';

export interface Visitors {
  /** The id that each offer was acknowledged with, by the offer's own name. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Settles once an offer is on its way. */
  waitForRequest(): Promise<void>;
  /** Settles once so many more offers were acknowledged. */
  waitForAcknowledged(more: number): Promise<void>;
  /** No further offers; settles when the last one was acknowledged. */
  finish(): Promise<void>;
}

/** How long one offer may take from the first try to its acknowledgement, whatever happens, in milliseconds. */
const OFFER_TIMEOUT_MS = 90_000;

/** Between two offers of a visitor: without it, the time that a start takes would be full of offers. */
const PAUSE_MS = runsOf(0, 500);

export function startVisitors(
  { port, dataDir }: Pick<Product, 'port' | 'dataDir'>,
  number: number,
): Visitors {
  const makeProof = proofMaker(dataKeys(dataDir).secretKey);
  const acknowledged = new Map<string, string>();
  let leaving = false;
  let sending = 0;

  const visit = async (visitor: number) => {
    for (let nth = 0; !leaving; nth += 1) {
      const name = `Visitor ${visitor}, offer ${nth}`;
      const turnstile_token = encodeProof(await makeProof());
      const offer = sampleOffer({
        offer_amount: `$${nth}`,
        customer_name: name,
        customer_email: `visitor${visitor}@example.com`,
        turnstile_token,
      });
      const id = await persist(() => submit(offer));
      acknowledged.set(name, id);
      count('acknowledged');
      // The acknowledgement, too, may be lost: the same request again is the same offer.
      if (nth % 3 === 0 && (await persist(() => submit(offer))) !== id) count('doubled');
      await pause(PAUSE_MS);
    }
  };
  const submit = async (offer: object): Promise<string> => {
    sending += 1;
    try {
      return idOf(await sendRequest(port, functionCall('order-submit', offer)));
    } finally {
      sending -= 1;
    }
  };
  const visits = Promise.all(Array.from({ length: number }, (_, visitor) => visit(visitor)));
  // Reported by `finish` at the latest.
  visits.catch(() => {});
  const until = async (reached: () => boolean) => {
    const deadline = Date.now() + OFFER_TIMEOUT_MS;
    while (!reached()) {
      if (Date.now() > deadline) throw new Error('the visitors got no further');
      await pause(2);
    }
  };
  return {
    acknowledged,
    waitForRequest: () => until(() => sending > 0),
    waitForAcknowledged: (more) => {
      const enough = acknowledged.size + more;
      return until(() => acknowledged.size >= enough);
    },
    finish: async () => {
      leaving = true;
      await visits;
    },
  };
}

/** A permanent rejection, which is not repeated. */
export class Rejected extends Error {}

function idOf(response: HttpResponse): string {
  if (response.status === 200 || response.status === 201) return String(jsonOf(response).id);
  if (response.status < 500) throw new Rejected(`an offer got ${response.status}: ${response.text}`);
  throw new Error(`not now: ${response.status}`);
}

/** Repeats a call after lost connections and temporary errors. */
export async function persist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + OFFER_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Rejected || Date.now() > deadline) throw error;
      await pause(40);
    }
  }
}
