import { setTimeout as pause } from 'node:timers/promises';
import { jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN } from '../support/product.ts';
import { type AbusedProduct, functionCall } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { measure } from './report.ts';

/** The longest wait for recovery. How long it may take on a quiet machine is a rule of the figure (report.ts). */
const TIMEOUT_MS = 120_000;

/**
 * Injects a fault and measures until everything works again: a valid offer is taken, the right password signs in, and the
 * administrator's list contains that offer.
 * Fails if it never does.
 */
export async function measureOutage(product: AbusedProduct, fault: () => Promise<unknown>): Promise<void> {
  const makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
  const started = performance.now();
  await fault();
  for (let attempt = 0; ; attempt += 1) {
    const name = `After a fault, attempt ${attempt}`;
    const works = await acceptsAndListsOffer(product, name, encodeProof(await makeProof())).catch(
      () => false,
    );
    const took = Math.round(performance.now() - started);
    if (works) {
      measure('outage', took);
      return;
    }
    if (took > TIMEOUT_MS) throw new Error(`not recovered after ${took} ms:\n${product.log().slice(-2_000)}`);
    await pause(100);
  }
}

async function acceptsAndListsOffer(product: AbusedProduct, name: string, token: string): Promise<boolean> {
  const offer = {
    domain_name: 'lap.app',
    offer_amount: '$1',
    customer_name: name,
    customer_email: 'after@example.com',
    turnstile_token: token,
  };
  const taken = await sendRequest(product.port, functionCall('order-submit', offer));
  if (taken.status !== 201) return false;
  const { id } = jsonOf(taken);
  const signedIn = await sendRequest(product.port, functionCall('admin-auth', ADMIN));
  if (signedIn.status !== 200) return false;
  const list = await product.requestAsAdmin({ path: `/rest/v1/offers?select=id&id=eq.${id}` });
  return list.status === 200 && list.text.includes(String(id));
}
