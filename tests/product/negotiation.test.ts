/** From an offer to a yes through the running product: the owner's session, the buyer's link, and JSON alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tokenOfCode } from '#contract/link-code.ts';
import { type FakeSmtpServer, startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { callFunction, makeOffer, openSession } from '../support/calls.ts';
import { type Product, startProduct } from '../support/product.ts';
import { waitUntil } from '../support/terminal.ts';

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
  const before = (await call({ token })).body;
  for (const path of ['/offer/', `/offer/%23${token}`, `/de/offer/%2523${token}`])
    for (const method of ['GET', 'HEAD'])
      assert.equal((await fetch(`${product.origin}${path}`, { method })).status, 200, `${method} ${path}`);
  assert.deepEqual((await call({ token })).body, before, 'opening the page changes nothing');
  const accepted = await call({ token, move: { kind: 'accept', seen: 2, note: 'Typed by the buyer.' } });
  assert.deepEqual([accepted.status, accepted.body.status], [200, 'accepted']);
  assert.equal(accepted.body.moves[1]?.by, undefined);
  const late = await call({ offer_id, move: { kind: 'decline', seen: 2 } }, session);
  assert.deepEqual([late.status, late.body.code], [409, 'moved']);
  assert.equal((await call({ token: `${token.slice(1)}0` })).body.code, 'link_invalid');

  // Waits for what is being delivered.
  await product.stop();
  const [toOwner, toBuyer] = ['owner@example.com', 'ada@example.com'].map((email) =>
    smtp.mails.find(({ to, parsed }) => to[0] === email && parsed.subject === 'Agreed: $4,300 for lap.app'),
  );
  assert.match(toOwner?.parsed.text ?? '', /^First offer: \$12,000$/m);
  assert.ok(toBuyer);
  const { text, html } = toBuyer.parsed;
  assert.match(text ?? '', new RegExp(`^Agreed: \\$4,300 for lap\\.app\\.$[\\s\\S]*#${token}$`, 'm'));
  assert.doesNotMatch(`${text}${html}`, /Lovelace|12,000|Typed/);
});

test('the confirmation’s link and code show the offer, and take another amount and a withdrawal, each with a note', async () => {
  await using mails = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  const own = await startProduct({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mails.server.port}`,
      MAIL_FROM: 'offers@example.com',
      MAIL_TO: 'owner@example.com',
      MAIL_CONFIRM: 'yes',
    },
  });
  await makeOffer(own);
  const mailOf = (subject: RegExp) => mails.mails.find(({ parsed }) => subject.test(parsed.subject ?? ''));
  await waitUntil(() => mailOf(/has arrived$/) !== undefined, 'no confirmation arrived');
  const { text = '' } = mailOf(/has arrived$/)?.parsed ?? {};
  const token = /\/offer\/#([0-9a-f]{32})$/m.exec(text)?.[1] ?? '';
  assert.equal(tokenOfCode(/type the code (\S+)$/m.exec(text)?.[1] ?? ''), token, text);
  const call = async (move?: object) => {
    const response = await callFunction(own, 'negotiation', { token, ...(move && { move }) });
    return (await response.json()) as State & { answer_by?: string; mails?: boolean };
  };
  const { status, answer_by, mails: isMailed } = await call();
  assert.deepEqual([status, typeof answer_by, isMailed], ['open', 'string', true]);
  await call({ kind: 'offer', seen: 1, amount: '$12,500', note: 'Our <b>budget</b> ends here.' });
  assert.equal((await call({ kind: 'withdraw', seen: 2, note: 'We found another.' })).status, 'withdrawn');
  await own.stop();
  const offered = mailOf(/^Another offer: \$12,500 for lap\.app$/)?.parsed;
  assert.match(offered?.text ?? '', /^Note:\n> Our <b>budget<\/b> ends here\.$/m);
  assert.ok(String(offered?.html).includes('Our &lt;b&gt;budget&lt;/b&gt; ends here.'));
  assert.match(mailOf(/withdrew the offer for lap\.app$/)?.parsed.text ?? '', /^> We found another\.$/m);
});
