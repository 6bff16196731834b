/** The log of a product that works: no secret, no token and nothing of visitors. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, functionCall, signIn } from './abused-product.ts';
import { assertNoSecrets, assertNoSecretsInLog, PLANTED_OFFER, secretsOf } from './leaks.ts';
import { solveProof } from './proofs.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';

describe('logs', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await sharedProduct();
  });

  test('logs contain no secret, no token and no personal data of visitors, with and without errors', async () => {
    const turnstile_token = await solveProof(product.port);
    const offer = { ...PLANTED_OFFER, turnstile_token };
    const stored = await product.call('order-submit', offer);
    assert.equal(stored.status, 201);
    count('acknowledged');
    await product.call('order-submit', offer);
    await product.call('order-submit', { ...offer, customer_name: `${PLANTED_OFFER.customer_name} ` });
    await product.call('order-submit', { ...offer, customer_email: `${PLANTED_OFFER.customer_email}\r\n` });
    // An unknown field is named in the response only.
    await sendRequest(
      product.port,
      functionCall('order-submit', { ...offer, [PLANTED_OFFER.customer_email]: 1 }),
    );
    await product.call('order-submit', { ...offer, domain_name: PLANTED_OFFER.customer_email });
    await product.call('admin-auth', {
      email: PLANTED_OFFER.customer_email,
      password: PLANTED_OFFER.customer_name,
    });
    await product.call('admin-auth', { ...ADMIN, password: `${ADMIN.password}!` });
    const { id } = jsonOf(stored);
    const change = (status: string) =>
      product.requestAsAdmin({
        method: 'PATCH',
        path: `/rest/v1/offers?id=eq.${id}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      });
    assert.ok((await change('accepted')).status < 300);
    assertNoSecrets(
      (await change(PLANTED_OFFER.customer_email)).text,
      secretsOf(product.dataDir),
      'the rejection',
      true,
    );
    await product.request({
      path: `/rest/v1/offers?customer_email=eq.${PLANTED_OFFER.customer_email}`,
      headers: { apikey: PUBLIC_KEY },
    });
    await product.request({ path: `/${encodeURIComponent(PLANTED_OFFER.customer_name)}` });

    const token = await signIn(product.port);
    assertNoSecretsInLog(product.log(), [...secretsOf(product.dataDir), token], 'the log');
    const lines = product
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    assert.ok(lines.length >= 10, 'requests were logged');
    for (const line of lines) assert.ok(JSON.parse(line), 'one JSON object a line');
  });
});
