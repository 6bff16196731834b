import './settings.stub.ts';
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import type { OfferSubmission } from '#contract/offer.ts';

const { sendOffer } = await import('./order-submit.ts');

const submission: OfferSubmission = {
  domain_name: 'lap.app',
  offer_amount: '12,000 €',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
  turnstile_token: 'token',
};
const storedOffer = () => Response.json({ id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' }, { status: 201 });

afterEach(() => {
  mock.restoreAll();
  mock.timers.reset();
});

test('an offer is posted with the public key, and status 201 means that it is stored', async () => {
  const fetch = respondWith(storedOffer);
  assert.deepEqual(await sendOffer(submission), { status: 'stored' });
  const [url, init] = fetch.mock.calls[0]?.arguments ?? [];
  assert.equal(String(url), 'https://project.example/functions/v1/order-submit');
  assert.equal(init?.method, 'POST');
  assert.equal(new Headers(init?.headers).get('apikey'), 'sb_publishable_test');
  assert.deepEqual(JSON.parse(String(init?.body)), submission);
});

test('the function’s message, code and field are returned', async () => {
  const fetch = respondWith(() =>
    Response.json(
      { error: 'Please fill in Name.', code: 'missing', field: 'customer_name' },
      { status: 400 },
    ),
  );
  assert.deepEqual(await sendOffer(submission), {
    status: 'rejected',
    rejection: { error: 'Please fill in Name.', code: 'missing', field: 'customer_name' },
  });
  assert.equal(fetch.mock.callCount(), 1);
});

for (const status of [200, 422, 500]) {
  test(`an error in a response of status ${status} is shown`, async () => {
    const id = '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162';
    for (const [body, rejection] of [
      [{ error: 'Sold yesterday.' }, { error: 'Sold yesterday.' }],
      [
        { id, error: 'Sold yesterday.', code: 'sold' },
        { error: 'Sold yesterday.', code: 'sold' },
      ],
      [{ error: 'Sold yesterday.', code: 42, field: null }, { error: 'Sold yesterday.' }],
      [{ error: { message: 'Sold yesterday.', code: 42 } }, { error: 'Sold yesterday.' }],
      [
        { error: { message: 'Sold yesterday.' }, code: 'sold', field: 'offer_amount' },
        { error: 'Sold yesterday.', code: 'sold', field: 'offer_amount' },
      ],
      [{ error: { message: '' } }, {}],
      [{ error: true }, {}],
    ] as const) {
      respondWith(() => Response.json(body, { status }));
      assert.deepEqual(await sendOffer(submission), { status: 'rejected', rejection }, JSON.stringify(body));
    }
  });
}

test('a stored offer with an empty error field is a success', async () => {
  respondWith(() =>
    Response.json({ id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162', error: null }, { status: 201 }),
  );
  assert.deepEqual(await sendOffer(submission), { status: 'stored' });
});

test('a rejection in JSON without a message is a rejection without a message', async () => {
  for (const body of [{}, { error: '' }, { error: 7 }, null, 'no']) {
    respondWith(() => Response.json(body, { status: 500 }));
    assert.deepEqual(
      await sendOffer(submission),
      { status: 'rejected', rejection: {} },
      JSON.stringify(body),
    );
  }
});

test('a 2xx of another backend without an error is a success', async () => {
  const responses = [
    () => Response.json({ success: true }),
    () => Response.json({ success: true, error: null }, { status: 202 }),
    () => new Response(null, { status: 204 }),
    () => new Response(null, { status: 201 }),
    () => new Response('{"success":true}'),
  ];
  for (const respond of responses) {
    const fetch = respondWith(respond);
    assert.deepEqual(await sendOffer(submission), { status: 'stored' });
    assert.equal(fetch.mock.callCount(), 1);
  }
});

test('an error in JSON that is sent as plain text is shown', async () => {
  respondWith(() => new Response('{"error":"Sold yesterday."}'));
  assert.deepEqual(await sendOffer(submission), {
    status: 'rejected',
    rejection: { error: 'Sold yesterday.' },
  });
});

test('a response with a body that is not JSON is unexpected', async () => {
  const responses = [
    () => new Response('<h1>Not found</h1>', { status: 404 }),
    () => new Response('<h1>Welcome to our Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } }),
    () => new Response('Welcome to our Wi-Fi'),
  ];
  for (const respond of responses) {
    const fetch = respondWith(respond);
    assert.deepEqual(await sendOffer(submission), { status: 'unexpected' });
    assert.equal(fetch.mock.callCount(), 1);
  }
});

test('an offer without a response is sent once more', async () => {
  let calls = 0;
  const fetch = respondWith(() => {
    calls += 1;
    if (calls === 1) throw new TypeError('network');
    return storedOffer();
  });
  assert.deepEqual(await sendOffer(submission), { status: 'stored' });
  const [first, second] = fetch.mock.calls;
  assert.equal(first?.arguments[1]?.body, second?.arguments[1]?.body);
});

test('a truncated response counts as none', async () => {
  const responses = [
    new Response('{"id":', { headers: { 'content-type': 'application/json' } }),
    storedOffer(),
  ];
  respondWith(() => responses.shift() ?? assert.fail());
  assert.deepEqual(await sendOffer(submission), { status: 'stored' });
});

test('an offer without a response is sent again at once and after 1 and 2 s, and then given up', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const fetch = respondWith(() => {
    throw new TypeError('network');
  });
  const sent = sendOffer(submission);
  for (const [calls, delayMs] of [
    [2, 1_000],
    [3, 2_000],
  ] as const) {
    await nothingIsLeftToDo();
    mock.timers.tick(delayMs - 1);
    await nothingIsLeftToDo();
    assert.equal(fetch.mock.callCount(), calls);
    mock.timers.tick(1);
  }
  assert.deepEqual(await sent, { status: 'unexpected' });
  assert.equal(fetch.mock.callCount(), 4);
});

for (const status of [502, 503, 504]) {
  test(`an offer that got ${status} is sent again until the backend is up`, async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const responses = [
      new Response('<h1>Later</h1>', { status }),
      Response.json({ error: 'Later.' }, { status, headers: { 'retry-after': '8' } }),
      storedOffer(),
    ];
    const fetch = respondWith(() => responses.shift() ?? assert.fail());
    const sent = sendOffer(submission);
    for (const [calls, delayMs] of [
      [1, 5_000],
      [2, 8_000],
    ] as const) {
      await nothingIsLeftToDo();
      mock.timers.tick(delayMs - 1);
      await nothingIsLeftToDo();
      assert.equal(fetch.mock.callCount(), calls);
      mock.timers.tick(1);
    }
    assert.deepEqual(await sent, { status: 'stored' });
    assert.equal(new Set(fetch.mock.calls.map((call) => call.arguments[1]?.body)).size, 1);
  });
}

test('the failure after half a minute is returned', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const later = { error: 'Later.', code: 'unavailable' };
  const fetch = respondWith(() => Response.json(later, { status: 503, headers: { 'retry-after': '0' } }));
  const sent = sendOffer(submission);
  for (let seconds = 0; seconds < 30; seconds += 5) {
    await nothingIsLeftToDo();
    mock.timers.tick(5_000);
  }
  assert.deepEqual(await sent, { status: 'rejected', rejection: later });
  assert.equal(fetch.mock.callCount(), 7);
});

test('an offer is not sent again where Retry-After is beyond half a minute', async () => {
  for (const after of ['31', 'Mon, 23 Nov 2026 10:00:00 GMT']) {
    const fetch = respondWith(() => new Response('', { status: 503, headers: { 'retry-after': after } }));
    assert.deepEqual(await sendOffer(submission), { status: 'unexpected' });
    assert.equal(fetch.mock.callCount(), 1);
  }
});

/** Until time passes. */
const nothingIsLeftToDo = () => new Promise((done) => setImmediate(done));

function respondWith(respond: () => Response) {
  return mock.method(globalThis, 'fetch', async (_url: string | URL | Request, _init?: RequestInit) =>
    respond(),
  );
}
