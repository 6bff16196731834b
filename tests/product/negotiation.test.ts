/** From an offer to a yes through the running product: the owner's session, the buyer's link, and JSON alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FakeSmtpServer, startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { callFunction, makeOffer, openSession } from '../support/calls.ts';
import { type Product, startProduct } from '../support/product.ts';

let smtp: FakeSmtpServer;
let product: Product;
before(async () => {
  smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  product = await startProduct({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.server.port}`,
      MAIL_FROM: 'offers@example.com',
      MAIL_TO: 'owner@example.com',
    },
  });
});
after(() => smtp?.[Symbol.asyncDispose]());

interface State {
  status: string;
  seen: number;
  link?: string;
  moves: { amount?: string; by?: string }[];
}

test('an offer is countered by the owner and accepted by the buyer’s link, and both get a mail', async () => {
  const offer_id = await makeOffer(product);
  const { access_token } = await openSession(product);
  const call = async (body: object, headers = {}) => {
    const response = await callFunction(product, 'negotiation', body, headers);
    return { status: response.status, body: (await response.json()) as State & { code?: string } };
  };
  const session = { authorization: `Bearer ${access_token}` };
  assert.equal((await call({ offer_id })).body.code, 'session_ended');
  const move = { kind: 'counter', seen: 1, amount: '$4,300' };
  const countered = await call({ offer_id, move }, session);
  assert.equal(countered.status, 200, JSON.stringify(countered.body));
  const token = /#([0-9a-f]{32})$/.exec(countered.body.link ?? '')?.[1] ?? '';
  const accepted = await call({ token, move: { kind: 'accept', seen: 2, note: 'Typed by the buyer.' } });
  assert.deepEqual([accepted.status, accepted.body.status], [200, 'accepted']);
  assert.equal(accepted.body.moves[1]?.by, undefined);
  const late = await call({ offer_id, move: { kind: 'decline', seen: 2 } }, session);
  assert.deepEqual([late.status, late.body.code], [409, 'moved']);
  assert.equal((await call({ token: `${token.slice(1)}0` })).body.code, 'link_invalid');

  // Waits for what is being delivered.
  await product.stop();
  const mailOf = (subject: string) => smtp.mails.find(({ parsed }) => parsed.subject === subject);
  const toOwner = mailOf('Ada Lovelace accepted your counter-offer for lap.app');
  assert.deepEqual(toOwner?.to, ['owner@example.com']);
  assert.match(toOwner.parsed.text ?? '', /^Agreed: \$4,300\nFirst offer: \$12,000$/m);
  const toBuyer = mailOf('Agreed: $4,300 for lap.app');
  assert.deepEqual(toBuyer?.to, ['ada@example.com']);
  const { text, html } = toBuyer.parsed;
  assert.match(text ?? '', new RegExp(`^Agreed: \\$4,300 for lap\\.app\\.$[\\s\\S]*#${token}$`, 'm'));
  assert.doesNotMatch(`${text}${html}`, /Lovelace|12,000|Typed/);
});
