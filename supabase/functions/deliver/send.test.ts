import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageSettings } from '../_shared/contract/message-settings.ts';
import type { Site } from './compose-mail.ts';
import { DELIVERY, MAIL, OFFER, SITE_URL } from './delivery.fixture.ts';
import type { Delivery } from './delivery.ts';
import { startSmtpServer } from './fake-smtp-server.ts';
import { createSend } from './send.ts';

const MESSAGES: MessageSettings = {
  mail: MAIL,
  webhooks: { urls: ['https://hooks.example/a'], secret: undefined },
  siteUrl: undefined,
};

const send = (
  delivery: Partial<Delivery>,
  messages: Partial<MessageSettings> = {},
  linkOf?: Site['linkOf'],
) =>
  createSend({
    messages: { ...MESSAGES, ...messages },
    readSite: async () => ({ siteUrl: SITE_URL, language: 'de', ...(linkOf && { linkOf }) }),
  })({
    ...DELIVERY,
    ...delivery,
  });

test('sends to the targets of the settings alone, and keeps messages to others', async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  const mail = { ...MAIL, server: smtp.server };
  const removed: [string, Partial<Delivery>, Partial<MessageSettings>][] = [
    ['MAIL_TO has this address no more.', { target: 'mailto:other@example.com' }, { mail }],
    ['SMTP_URL is not set any more.', {}, { mail: undefined }],
    [
      'MAIL_CONFIRM is not yes any more.',
      { kind: 'confirmation', target: 'mailto:ada@example.com' },
      { mail: { ...mail, confirm: false } },
    ],
    ['NOTIFY_URL has this URL no more.', { target: 'https://hooks.example/b' }, { mail }],
  ];
  for (const [reason, delivery, messages] of removed) {
    const outcome = { status: 'failed', reason, permanent: false };
    assert.deepEqual(await send(delivery, messages), outcome);
  }
  assert.equal(smtp.mails.length, 0);

  assert.equal((await send({}, { mail: { ...mail, confirm: false } })).status, 'sent');
  const confirmation = { kind: 'confirmation', target: 'mailto:ada@example.com' } as const;
  assert.equal((await send(confirmation, { mail })).status, 'sent');
  assert.deepEqual(
    smtp.mails.map(({ to, parsed }) => [to, parsed.subject]),
    [
      [['owner@example.com'], 'New offer for lap.app'],
      [['ada@example.com'], 'Ihr Angebot für lap.app ist angekommen'],
    ],
  );
});

test('a webhook of the settings gets its request signed, with the links of the site', async (t) => {
  const sent: { url: string; headers: Headers; body: string }[] = [];
  t.mock.method(globalThis, 'fetch', async (url: string, { headers, body }: RequestInit) => {
    sent.push({ url, headers: new Headers(headers), body: String(body) });
    return new Response('ok');
  });
  const target = 'https://hooks.example/a';
  const webhooks = { urls: [target], secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
  assert.equal((await send({ target }, { webhooks })).status, 'sent');
  const [request] = sent;
  assert.equal(request?.url, target);
  assert.match(request?.headers.get('webhook-signature') ?? '', /^v1,/);
  assert.ok(request?.body.includes(SITE_URL));
});

test('mails to the buyer are sent to any address: those whose link is needed not without it', async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  const messages = { mail: { ...MAIL, server: smtp.server } };
  const move = (kind: string, as?: string) => ({ ...OFFER, move: { number: 2, kind, ...(as && { as }) } });
  const deal = { number: 1, reference: 'LAP-7F3K', pay_by: '2026-12-04' };
  for (const [kind, offer, needsLink] of [
    ['confirmation', OFFER, false],
    ['reminder', { ...OFFER, deal }, true],
    ['reply', move('counter'), true],
    ['reply', move('take_back'), true],
    ['reply', move('decline'), false],
    ['reply', move('take_back', 'rejected'), false],
  ] as const) {
    const delivery = { kind, target: 'mailto:bea@buyer.example', offers: [offer] };
    const what = JSON.stringify(delivery);
    assert.equal((await send(delivery, messages, () => 'https://lap.app/offer/#t')).status, 'sent', what);
    assert.equal((await send(delivery, messages)).status, needsLink ? 'failed' : 'sent', what);
  }
});
