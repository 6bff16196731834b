import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { HOSTILE_TEXTS } from '../../../tests/abuse/hostile-texts.ts';
import { BATCH, DELIVERY, OFFER, SITE_URL } from './delivery.fixture.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { sendWebhook } from './send-webhook.ts';

const PATH = '/services/T00000000/B00000000/hunter2hunter2?token=hunter2hunter2';

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

interface Body {
  low?: true;
  text: string;
  content: string;
  kind: string;
  offers: Record<string, unknown>[];
}

/** A webhook on loopback; `respond` gets requests once their body was read. */
async function startWebhook(respond: RequestListener) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    text(request).then((body) => {
      received.push({ headers: request.headers, body });
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    received,
    bodyOf: (index: number) => JSON.parse(received[index]?.body ?? '') as Body,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function send(
  target: string,
  change: Partial<Delivery> = {},
  { secret, timeoutMs }: { secret?: string; timeoutMs?: number } = {},
): Promise<Outcome> {
  return sendWebhook({ ...DELIVERY, target, ...change }, { siteUrl: SITE_URL, secret }, timeoutMs);
}

test('sends an offer as JSON with a text for chats', async () => {
  await using webhook = await startWebhook((_, response) => response.end('ok'));
  assert.deepEqual(await send(webhook.url), { status: 'sent', response: 'HTTP 200' });
  const { headers } = webhook.received[0] ?? {};
  assert.equal(headers?.['content-type'], 'application/json');
  assert.equal(headers?.['webhook-id'], `offer_${OFFER.id}`);
  assert.equal(headers?.['webhook-signature'], undefined);
  const url = `${SITE_URL}/admin/dashboard#offer=${OFFER.id}`;
  const chat = `New offer\nlap.app: $12,000\nAda Lovelace, Ada@example.com\n${url}`;
  assert.deepEqual(webhook.bodyOf(0), {
    text: chat,
    content: chat,
    kind: 'offer',
    offers: [
      {
        id: OFFER.id,
        domain: 'lap.app',
        amount: '$12,000',
        name: 'Ada Lovelace',
        email: 'Ada@example.com',
        created_at: OFFER.created_at,
        held: false,
        url,
      },
    ],
  });
});

test('a webhook has these fields, and beside an amount its value and currency where it is clear', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  const read = { value: 15_000, currency: 'USD' };
  const move = {
    number: 3,
    side: 'buyer',
    kind: 'offer',
    amount: '15k',
    ...read,
    note: 'Soon?',
    at: OFFER.created_at,
  } as const;
  await send(webhook.url, { offers: [{ ...OFFER, ...read, message: 'Hello' }] });
  await send(webhook.url, { kind: 'move', offers: [{ ...OFFER, move }] });
  const [offer, moved] = [0, 1].map((index) => webhook.bodyOf(index));
  assert.deepEqual(Object.keys(offer ?? {}), ['text', 'content', 'kind', 'offers']);
  const fields = ['id', 'domain', 'amount', 'name', 'email', 'created_at', 'held', 'url'];
  assert.deepEqual(Object.keys(offer?.offers[0] ?? {}), [
    ...fields.slice(0, 5),
    'value',
    'currency',
    ...fields.slice(5),
    'message',
  ]);
  assert.deepEqual(offer?.offers[0], { ...offer?.offers[0], ...read });
  assert.deepEqual(Object.keys(moved?.offers[0] ?? {}), [...fields, 'move']);
  assert.deepEqual(moved?.offers[0]?.move, move);
});

test('the signature is verified by the reference library of Standard Webhooks', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  const bytes = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  for (const [secret, key, format] of [
    [`whsec_${bytes}`, bytes, undefined],
    ['schlüssel 🔑', Buffer.from('schlüssel 🔑'), 'raw'],
  ] as const) {
    await send(webhook.url, {}, { secret });
    const { headers, body } = webhook.received.at(-1) ?? assert.fail();
    const signed = headers as Record<string, string>;
    assert.ok(Math.abs(Number(signed['webhook-timestamp']) - Date.now() / 1000) <= 10);
    const verifier = new Webhook(key, format && { format });
    assert.deepEqual(verifier.verify(body, signed), JSON.parse(body));
    assert.throws(() => verifier.verify(body.replace('12,000', '22,000'), signed), /No matching signature/);
    assert.throws(() => new Webhook(Buffer.from('another key').toString('base64')).verify(body, signed));
    assert.equal(signed['webhook-id'], `offer_${OFFER.id}`);
  }
});

test('the signed id has no full stop, of a message about a move and of a digest neither, and is the same for each try', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  const key = Buffer.from('a secret of 24 bytes ...');
  const verifier = new Webhook(key, { format: 'raw' });
  const move = { number: 3, kind: 'offer', amount: '$9,999' };
  const deliveries: Partial<Delivery>[] = [
    { kind: 'move', offers: [{ ...OFFER, move }] },
    { kind: 'expired', offers: [{ ...OFFER, move }] },
    { batch: BATCH },
    { kind: 'wrong_codes', batch: BATCH, offers: [] },
  ];
  for (const delivery of deliveries) {
    for (let attempt = 0; attempt < 2; attempt += 1)
      await send(webhook.url, delivery, { secret: String(key) });
    const [first, second] = webhook.received.slice(-2);
    for (const { headers, body } of [first, second].filter((one) => one !== undefined)) {
      const signed = headers as Record<string, string>;
      assert.deepEqual(verifier.verify(body, signed), JSON.parse(body));
      assert.match(signed['webhook-id'] ?? '', /^[\w-]+$/);
    }
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  }
  assert.equal(webhook.received[0]?.headers['webhook-id'], `move_${OFFER.id}_3`);
});

test('a digest has its own id, one text within the limit of Discord, and every offer', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  const offers = Array.from({ length: 200 }, () => ({ ...OFFER, held: true }));
  await send(webhook.url, { ids: offers.map((_, id) => id), batch: BATCH, offers });
  assert.equal(webhook.received[0]?.headers['webhook-id'], `digest_${BATCH}`);
  const body = webhook.bodyOf(0);
  assert.match(body.text, /^200 offers, held for review\n/);
  assert.ok(body.content.length <= 2_000);
  assert.equal(body.offers.length, 200);
  await send(webhook.url, { kind: 'low', batch: BATCH });
  const low = webhook.bodyOf(1);
  assert.deepEqual([body.low, low.low, low.kind], [undefined, true, 'offer']);
  assert.match(low.text, /^1 offer below your minimum\n/);
});

test('a message of characters outside the basic plane keeps the limit, and no half character', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  for (const before of ['', 'a']) {
    await send(webhook.url, { offers: [{ ...OFFER, message: before + '😀'.repeat(999) }] });
  }
  for (const index of [0, 1]) {
    const { content } = webhook.bodyOf(index);
    assert.ok(content.length <= 2_000, `${content.length}`);
    assert.ok(content.isWellFormed());
  }
});

test('hostile texts arrive unchanged as data, and without mentions and links in the text', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  const texts = [
    ...HOSTILE_TEXTS,
    '@everyone <!channel> <@U123> @Here',
    '[click](https://evil.example) <https://evil.example|bank>',
  ];
  for (const [index, hostile] of texts.entries()) {
    const offer = { ...OFFER, offer_amount: hostile, customer_name: hostile };
    await send(webhook.url, { offers: [offer] });
    const { text, content, offers } = webhook.bodyOf(index);
    assert.deepEqual([offers[0]?.amount, offers[0]?.name], [hostile, hostile]);
    assert.equal(content, text);
    assert.equal(text.split('\n').length, 4, hostile);
    assert.doesNotMatch(text, /[<>]|@(everyone|here|channel)|\]\(/i);
  }
});

test('a move is named with the buyer’s name, without mentions and links, and an acceptance with what to do next', async () => {
  await using webhook = await startWebhook((_, response) => response.end());
  const move = { number: 3, kind: 'accept', amount: '$9,999', at: '2026-11-24T14:47:00+00:00' };
  for (const name of ['Ada', '@everyone [x](https://evil.example) <b>'])
    await send(webhook.url, { kind: 'move', offers: [{ ...OFFER, customer_name: name, move }] });
  assert.match(
    webhook.bodyOf(0).text,
    /^Ada accepted your counter-offer for lap\.app\nlap\.app: \$9,999[\s\S]*\n3\. Transfer the name/,
  );
  assert.match(webhook.bodyOf(1).text, /accepted your counter-offer/);
  assert.doesNotMatch(webhook.bodyOf(1).text, /[<>]|@(everyone|here|channel)|\]\(/i);
});

/** `server`: its messages wait from the first on; `suspect`: from the second different one on; `final`: not tried again. */
for (const [status, meaning, lasting] of [
  [400, 'final'],
  [413, 'final'],
  [422, 'final'],
  [401, 'server', true],
  [404, 'server', true],
  [410, 'server', true],
  [403, 'suspect', true],
  [405, 'suspect', true],
  [408, 'suspect', false],
  [429, 'suspect', false],
  [500, 'suspect', false],
  [503, 'suspect', false],
] as const) {
  test(`the status ${status} is a failure with the server's reason: ${meaning}`, async () => {
    await using webhook = await startWebhook((_, response) => {
      response.writeHead(status).end('\n<h1>no such hook</h1> for owner@example.com\nmore');
    });
    const outcome = await send(webhook.url);
    assert.ok(outcome.status === 'failed');
    const { failure, permanent, reason } = outcome;
    assert.equal(reason, `HTTP ${status}: no such hook  for (email)`);
    assert.equal(permanent, meaning === 'final');
    assert.deepEqual(
      [failure?.certain, failure?.lasting],
      meaning === 'final' ? [undefined, undefined] : [meaning === 'server', lasting],
    );
    // Others that are as good as the same count as one.
    assert.equal(failure?.reply, failure && (lasting ? `HTTP ${status}` : 'busy'));
    if (failure)
      assert.match(failure.problem, new RegExp(`^The webhook at 127\\.0\\.0\\.1 .*\\(HTTP ${status}\\)`));
  });
}

test('a failure is known by its status, also where its body never ends', async () => {
  await using webhook = await startWebhook((_, response) => {
    response.writeHead(404).write('no such hook');
  });
  const outcome = await send(webhook.url, {}, { timeoutMs: 500 });
  assert.ok(outcome.status === 'failed');
  assert.deepEqual([outcome.reason, outcome.failure?.certain], ['HTTP 404: no such hook', true]);
});

test('a redirect is a failure and is not followed', async () => {
  await using other = await startWebhook((_, response) => response.end());
  for (const status of [301, 302, 303, 307, 308]) {
    await using webhook = await startWebhook((_, response) => {
      response.writeHead(status, { location: other.url }).end();
    });
    const outcome = await send(webhook.url);
    assert.equal(outcome.status, 'failed');
    assert.equal(outcome.permanent, false);
    assert.equal(outcome.reason, `HTTP ${status} (redirects are not followed)`);
    assert.equal(outcome.failure?.certain, true);
  }
  assert.equal(other.received.length, 0);
});

test('a webhook that never responds is a temporary failure when the time is over', async () => {
  await using webhook = await startWebhook(() => {});
  assert.deepEqual(await send(webhook.url, {}, { timeoutMs: 50 }), {
    status: 'failed',
    reason: 'No response within 0.05 seconds.',
    permanent: false,
    failure: {
      problem: 'The webhook at 127.0.0.1 cannot be reached.',
      reply: 'none',
      lasting: false,
      certain: false,
    },
  });
});

test('a success is known by its status, also where its body never ends', async () => {
  await using webhook = await startWebhook((_, response) => {
    response.writeHead(200).write('o');
  });
  assert.equal((await send(webhook.url, {}, { timeoutMs: 5_000 })).status, 'sent');
});

for (const status of [200, 500]) {
  test(`reads at most 8 KB of 10 MB and lets the rest go (${status})`, async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const closed = Promise.withResolvers<number>();
    await using webhook = await startWebhook((_, response) => {
      let sent = 0;
      response.writeHead(status);
      response.on('error', () => {}).on('close', () => closed.resolve(sent));
      const more = () => {
        while (sent < 10 * 1024 * 1024) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    });
    const outcome = await send(webhook.url);
    assert.equal(outcome.status, status === 200 ? 'sent' : 'failed');
    if (outcome.status === 'failed') assert.equal(Array.from(outcome.reason).length, 300);
    assert.ok((await closed.promise) < 10 * 1024 * 1024, 'the rest was sent');
  });
}

test('no reason holds the URL of the webhook, which lets requests in', async () => {
  await using webhook = await startWebhook((request, response) => {
    response.writeHead(404).end(`Cannot POST ${request.url}: hunter2hunter2`);
  });
  const closed = await startWebhook(() => {});
  await closed[Symbol.asyncDispose]();
  for (const url of [webhook.url, closed.url]) {
    const outcome = await send(url);
    assert.equal(outcome.status, 'failed');
    assert.doesNotMatch(outcome.reason, /hunter2|services/);
    assert.match(outcome.reason, /^HTTP 404: Cannot POST …|^Could not connect: ECONNREFUSED$/);
  }
});

test('the reason of a failed connection is its cause, in Node and in Deno, without the URL', async (t) => {
  const url = `https://hooks.example${PATH}`;
  const fetch = t.mock.method(globalThis, 'fetch');
  const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  for (const [error, reason] of [
    [new TypeError('fetch failed', { cause }), 'ENOTFOUND'],
    [new TypeError('fetch failed', { cause: new Error('other side closed') }), 'other side closed'],
    [new TypeError(`error sending request for url (${url}): client error: dns error`), 'dns error'],
    [new TypeError(`error sending request for url (${url})`), 'error sending request for url (…)'],
  ] as const) {
    fetch.mock.mockImplementation(() => Promise.reject(error));
    const outcome = await send(url);
    assert.ok(outcome.status === 'failed');
    assert.deepEqual([outcome.reason, outcome.permanent], [`Could not connect: ${reason}`, false]);
  }
});

test('the customer’s message is whole in the JSON, quoted in a text about one offer, and not in that of a digest', async () => {
  await using webhook = await startWebhook((_, response) => response.end('ok'));
  const message = 'Hello @everyone\n<https://evil.example|click>';
  const offers = [{ ...OFFER, message }];
  await send(webhook.url, { offers });
  await send(webhook.url, { ids: [1, 2], batch: BATCH, offers: [...offers, OFFER] });
  const [single, digest] = [webhook.bodyOf(0), webhook.bodyOf(1)];
  assert.ok(
    single.text.endsWith(`#offer=${OFFER.id}\n> Hello @\u200beveryone\n> ‹https://evil.example|click›`),
    single.text,
  );
  assert.equal(single.offers[0]?.message, message);
  assert.ok(!digest.text.includes('Hello'), digest.text);
  assert.deepEqual(
    digest.offers.map((offer) => offer.message),
    [message, undefined],
  );
});
