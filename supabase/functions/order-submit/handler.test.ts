import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { checkResults } from '../_shared/call-database.ts';
import type { Challenge } from '../_shared/contract/bot-check.ts';
import type { StoredLink } from '../_shared/contract/negotiation.ts';
import { sampleOffer } from '../_shared/contract/sample-offer.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { createLog } from '../_shared/log.ts';
import { hashOfToken, linkToken } from '../_shared/offer-link.ts';
import { issueChallenge } from '../_shared/proof-of-work.ts';
import { type Limit, limitOf } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/rejection.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import type { BotCheck, BotCheckVerdict } from './bot-check.ts';
import { createSubmitOffer } from './handler.ts';
import type { OfferLimits } from './limits.ts';
import { proofOfWork } from './proof-of-work.ts';

const KEY = 'sb_publishable_test';
const ENV = {
  SUPABASE_URL: 'http://localhost',
  SUPABASE_PUBLISHABLE_KEY: KEY,
  SUPABASE_SECRET_KEY: 'sb_secret_t',
};
const SETTINGS = readSettings(ENV);
const FIXED = fixedListings(
  {
    names: new Set(['lap.app', 'sample.app', 'sold.example', 'reserved.example']),
    hosts: [],
    adminHost: undefined,
  },
  { 'sold.example': 'sold', 'reserved.example': 'reserved' },
);
const LISTINGS = {
  ...FIXED,
  read: async () => ({ ...(await FIXED.read()), settings: { currencies: { kr: 'SEK' } } }),
};
const OFFER = sampleOffer({
  customer_name: 'Ada',
  customer_email: 'Ada@Example.com',
});
/** With the amount as the database compares it. */
const READ = { ...OFFER, price: { amount: '12000', currency: 'USD' } };
const ID = '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162';

interface Call {
  name: string;
  args: Record<string, unknown> & { limits: OfferLimits; token_hash: string; payload_hash: string };
}

/** What the database returns for a sender with a limit that is full. */
const limitedBy = (bucket: string) => ({ outcome: 'limited', wait: 61, full: { [bucket]: 61 } });

/** Responses of the database's functions; each may be a function that throws. */
type Responses = Partial<Record<'begin_bot_check' | 'submit_offer' | 'release_hits', unknown>>;

function start(responses: Responses, botCheck: BotCheck = proofOfWork(SETTINGS), settings = SETTINGS) {
  const calls: Call[] = [];
  const afterStored = mock.fn();
  const handler = createSubmitOffer({
    settings,
    listings: LISTINGS,
    botCheck,
    afterStored,
    callDatabase: checkResults(async (name, args: Call['args']) => {
      calls.push({ name, args });
      const response = responses[name as keyof Responses];
      return typeof response === 'function' ? response() : response;
    }),
  });
  const served = serveFunction(
    { listings: LISTINGS, settings: SETTINGS, log: createLog(console) },
    { name: 'order-submit', method: 'POST' },
    handler,
  );
  const submit = async (
    turnstile_token: string,
    change: object | ReadableStream = {},
    headers: Record<string, string> = {},
  ) => {
    const response = await served.fetch(
      new Request('http://localhost/functions/v1/order-submit', {
        method: 'POST',
        headers: { apikey: KEY, 'content-type': 'application/json', ...headers },
        body:
          change instanceof ReadableStream
            ? change
            : JSON.stringify({ ...OFFER, turnstile_token, ...change }),
        duplex: 'half',
      } as RequestInit),
    );
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, code: body.code, body, headers: response.headers };
  };
  return { calls, submit, afterStored, names: () => calls.map(({ name }) => name) };
}

const NEW = { outcome: 'new' };
const STORED = { outcome: 'stored', id: ID };

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}
const tokenFor = async (domain = 'lap.app', expiresAt?: number) =>
  solve(await issueChallenge(SETTINGS, domain, expiresAt));
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'log', () => {});
  mock.method(console, 'error', () => {});
  // Counters near 0, so that these tests do not spend their time on solving.
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  mock.method(crypto, 'getRandomValues', (values: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    values instanceof Uint32Array ? values.fill(1_000) : getRandomValues(values),
  );
});

test('a body of more than 64 KB, or that has not ended after 5 s, is rejected before the bot check', async (t) => {
  const { calls, submit } = start({ submit_offer: STORED });
  const without = JSON.stringify({ ...OFFER, turnstile_token: 't', more: '' }).length;
  for (const [length, code] of [
    [64 * 1024, 'unknown_field'],
    [64 * 1024 + 1, 'too_large'],
  ] as const)
    assert.equal((await submit('t', { more: 'x'.repeat(length - without) })).code, code);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const read = Promise.withResolvers<void>();
  const body = new ReadableStream({ pull: () => read.resolve() }, { highWaterMark: 0 });
  let code: unknown;
  void submit('t', body).then((response) => {
    code = response.code;
  });
  await read.promise;
  t.mock.timers.tick(4_999);
  await new Promise(setImmediate);
  assert.equal(code, undefined);
  t.mock.timers.tick(1);
  for (let turn = 0; turn < 9; turn += 1) await new Promise(setImmediate);
  assert.equal(code, 'too_slow');
  assert.deepEqual(calls, []);
});

test('a message is stored as entered, a blank one is none, and any other error names the field', async () => {
  const { calls, submit } = start({ submit_offer: STORED });
  const longest = '😀'.repeat(1000);
  for (const message of ['\n <b>one</b>\n\ttwo ', longest, ' \n\t ', ' \u3164\n\u200b']) {
    assert.equal((await submit(await tokenFor(), { message })).status, 201);
  }
  assert.deepEqual(
    calls.map(({ args }) => args.offer),
    [{ ...READ, message: '\n <b>one</b>\n\ttwo ' }, { ...READ, message: longest }, READ, READ],
  );
  for (const [message, expected] of [
    ['a'.repeat(1001), 'Please shorten your message to 1000 characters.'],
    ['a\u0000', 'Please remove control characters from your message.'],
    ['a\ud800', 'Please remove control characters from your message.'],
    ...[['a'], 1, null, {}].map((message) => [message, 'Please fill in your message.'] as const),
  ] as const) {
    const { status, body } = await submit(await tokenFor(), { message });
    assert.deepEqual([status, body.field, body.error], [400, 'message', expected]);
  }
});

test('an offer is stored in one call of the database, with its limits', async () => {
  const { calls, submit, names } = start({ submit_offer: STORED });
  const { status, body } = await submit(await tokenFor(), {}, { 'cf-connecting-ip': '192.0.2.1' });
  assert.equal(status, 201);
  assert.deepEqual(body, { id: ID });
  assert.deepEqual(names(), ['submit_offer']);
  const { offer, limits, checks, expired } = (calls[0] as Call).args;
  assert.deepEqual([offer, checks, expired], [READ, [], false]);
  const rates = ({ bucket, max, window }: Limit) => [bucket, max, window];
  assert.deepEqual(
    Object.entries(limits ?? {}).map(([list, all]) => [list, ...(all as Limit[]).map(rates)]),
    [
      ['sender', ['submit.ip', 20, 600], ['submit.network', 80, 600]],
      ['sender_and_domain', ['submit.network-and-domain', 10, 3_600]],
      ['shared', ['submit.domain', 60, 3_600], ['submit.all', 600, 600]],
      ['held', ['held.network', 50, 86_400], ['held.domain', 500, 86_400], ['held.all', 5_000, 86_400]],
      ['held_again', ['held.domain-again', 250, 86_400]],
      ['held_first', ['held.network-and-domain', 1, 86_400]],
    ],
  );
});

test('the response says whether an offer is low, also of a repeated one; an amount that cannot be read is none', async () => {
  const { calls, submit } = start({ submit_offer: { ...STORED, low: true } });
  for (const [offer_amount, price] of [
    ['$15k', { amount: '15000', currency: 'USD' }],
    ['-5', { amount: '-5' }],
    ['0 usd', { amount: '0', currency: 'USD' }],
    ['kr 5 000', { amount: '5000', currency: 'SEK' }],
    ['¥5 000', undefined],
    ['best offer', undefined],
  ] as const) {
    assert.deepEqual((await submit(await tokenFor(), { offer_amount })).body, { id: ID, low: true });
    assert.deepEqual(calls.at(-1)?.args.offer, { ...OFFER, offer_amount, ...(price && { price }) });
  }
  const repeated = start({ submit_offer: { outcome: 'repeated', id: ID, low: true } });
  assert.deepEqual((await repeated.submit(await tokenFor())).body, { id: ID, low: true });
});

test('limits count each IP, network and domain apart, and no email', async () => {
  const keysOf = async (ip: string, change: { domain_name?: string; customer_email?: string } = {}) => {
    const { calls, submit } = start({ submit_offer: STORED });
    await submit(await tokenFor(change.domain_name), change, { 'cf-connecting-ip': ip });
    const all = Object.values(calls[0]?.args.limits ?? {}).flat() as Limit[];
    return new Map(all.map(({ bucket, key }) => [bucket, key]));
  };
  for (const [ip, neighbour, other] of [
    ['192.0.2.1', '192.0.2.2', '192.0.3.1'],
    ['2001:db8:1:ab01::7', '2001:db8:1:ab02::7', '2001:db8:2:ab01::7'],
  ] as const) {
    const own = await keysOf(ip);
    const differing = (keys: Map<string, string>) =>
      [...own.keys()].filter((key) => keys.get(key) !== own.get(key));
    assert.deepEqual(differing(await keysOf(ip, { customer_email: 'grace@example.com' })), []);
    assert.deepEqual(differing(await keysOf(neighbour)), ['submit.ip']);
    assert.deepEqual(differing(await keysOf(other)), [
      'submit.ip',
      'submit.network',
      'submit.network-and-domain',
      'held.network',
      'held.network-and-domain',
    ]);
    assert.deepEqual(differing(await keysOf(ip, { domain_name: 'sample.app' })), [
      'submit.network-and-domain',
      'submit.domain',
      'held.domain',
      'held.domain-again',
      'held.network-and-domain',
    ]);
  }
});

test('a forged token, or one made for another domain, costs no call of the database', async () => {
  const { submit, names } = start({});
  const other = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_other' });
  for (const token of [
    'no token',
    btoa('{}'),
    await solve(await issueChallenge(other, 'lap.app')),
    await tokenFor('sample.app'),
  ]) {
    const { status, code } = await submit(token);
    assert.equal(`${status} ${code}`, '403 bot_check_failed');
  }
  assert.deepEqual(names(), []);
});

test('a token of Turnstile gets the message of a failed bot check where the proof of work is expected', async () => {
  const { submit } = start({});
  const { status, code, body } = await submit('0.zrSnRHO7h0HwSjSCU8oyzbjEtD8p.d62306d4ee00ed-_');
  assert.equal(`${status} ${code}`, '403 bot_check_other');
  assert.equal(body.error, 'CAPTCHA failed to load. Please refresh.');
});

test('an offer for a domain that takes none is rejected without a call of the database', async () => {
  const { submit, names } = start({});
  for (const [domain_name, status, code] of [
    ['sold.example', 410, 'domain_sold'],
    ['reserved.example', 410, 'domain_reserved'],
    ['other.example', 422, 'unknown_domain'],
  ] as const) {
    const response = await submit('any token', { domain_name });
    assert.deepEqual([response.status, response.code], [status, code]);
  }
  assert.deepEqual(names(), []);
});

test('an offer whose domain was sold or removed meanwhile is rejected, and the same token counts afresh', async () => {
  let state: string | null = 'sold';
  const submit_offer = () => (state === 'for_sale' ? STORED : { outcome: 'not_for_sale', state });
  const { submit } = start({ submit_offer });
  const token = await tokenFor();
  assert.equal((await submit(token)).code, 'domain_sold');
  state = null;
  assert.equal((await submit(token)).code, 'unknown_domain');
  state = 'for_sale';
  assert.equal((await submit(token)).status, 201);
});

test('a used token gets the id of its offer, also when it has expired, and is rejected with other texts', async () => {
  for (const [outcome, seconds, expected] of [
    [{ outcome: 'repeated', id: ID }, 300, '200 undefined'],
    [{ outcome: 'repeated', id: ID }, -3600, '200 undefined'],
    [{ outcome: 'conflict' }, 300, '409 bot_check_used'],
    [{ outcome: 'expired' }, -1, '403 bot_check_expired'],
  ] as const) {
    const { submit, calls } = start({ submit_offer: outcome });
    const { status, code, body } = await submit(await tokenFor('lap.app', inSeconds(seconds)));
    assert.equal(`${status} ${code}`, expected);
    if (status === 200) assert.deepEqual(body, { id: ID });
    assert.equal(calls[0]?.args.expired, seconds < 0);
  }
});

test('the bot check learns for which domain the offer is, and the host that it was sent to from a gateway alone', async () => {
  const read = mock.fn<BotCheck['read']>(() => undefined);
  const headers = { 'x-request-host': 'tunnel.example' };
  for (const settings of [SETTINGS, readSettings({ ...ENV, REQUEST_HOST_HEADER: 'x-request-host' })]) {
    const { submit } = start({}, { limitsFailures: true, read }, settings);
    assert.equal((await submit('token', {}, headers)).code, 'bot_check_failed');
  }
  assert.deepEqual(
    read.mock.calls.map(({ arguments: args }) => args),
    [
      ['token', 'lap.app', undefined],
      ['token', 'lap.app', 'tunnel.example'],
    ],
  );
});

test('an offer is known again by its token and its texts, whatever its language', async () => {
  const keysOf = async (token: string, change: object = {}) => {
    const { calls, submit } = start({ begin_bot_check: NEW, submit_offer: STORED }, turnstileLike('passed'));
    await submit(token, change);
    const [begun, stored] = calls.map(({ args }) => [args.token_hash, args.payload_hash]);
    assert.deepEqual(begun, stored);
    return stored as [string, string];
  };
  const [token, texts] = await keysOf('one', { message: 'a', locale: 'en' });
  for (const hash of [token, texts]) assert.match(hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(await keysOf('one', { message: 'a', locale: 'de' }), [token, texts]);
  const [sameToken, otherTexts] = await keysOf('one', { message: 'b' });
  assert.deepEqual([sameToken, otherTexts === texts], [token, false]);
  const [otherToken, sameTexts] = await keysOf('two', { message: 'a' });
  assert.deepEqual([otherToken === token, sameTexts], [false, texts]);
  const { calls, submit } = start({ submit_offer: STORED });
  for (const proof of [await tokenFor(), await tokenFor()]) await submit(proof);
  assert.notEqual(calls[0]?.args.token_hash, calls[1]?.args.token_hash, 'of two proofs of work');
});

test('an offer is stored by a second call if the first got no response', async () => {
  let failures = 1;
  const submit_offer = () => {
    if (failures-- > 0) throw new DatabaseUnavailable('submit_offer: no response');
    return STORED;
  };
  const { calls, submit, names } = start({ submit_offer });
  const token = await tokenFor();
  assert.equal((await submit(token)).status, 201);
  assert.deepEqual(names(), ['submit_offer', 'submit_offer']);
  assert.deepEqual(calls[0]?.args, calls[1]?.args);

  failures = 2;
  const failed = await submit(await tokenFor());
  assert.equal(`${failed.status} ${failed.code}`, '503 unavailable');
  assert.equal(failed.headers.get('retry-after'), '5');
  assert.equal(names().length, 4);
});

test('a sender past a limit costs no further call of the database until its wait is over', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { submit, names } = start({ submit_offer: limitedBy('submit.ip') });
  const send = async (ip: string, domain = 'lap.app') =>
    submit(await tokenFor(domain), { domain_name: domain }, { 'cf-connecting-ip': ip });
  const { status, code, body, headers } = await send('192.0.2.1');
  assert.equal(`${status} ${code} ${body.minutes}`, '429 too_many_offers 2');
  assert.equal(headers.get('retry-after'), '61');
  mock.timers.tick(30_500);
  const again = await send('192.0.2.1', 'sample.app');
  assert.equal(`${again.status} ${again.headers.get('retry-after')}`, '429 31');
  assert.equal(names().length, 1);
  await send('192.0.2.2');
  assert.equal(names().length, 2, 'another sender');
  mock.timers.tick(30_500);
  await send('192.0.2.1');
  assert.equal(names().length, 3);
  mock.timers.reset();
});

for (const full of ['submit.network', 'failed-check.network']) {
  test(`a network past ${full} costs one call of the database, from whichever of its IPs`, async () => {
    const { submit, names } = start({ begin_bot_check: limitedBy(full) }, turnstileLike('passed'));
    const statusOf = async (ip: string) => (await submit('token', {}, { 'cf-connecting-ip': ip })).status;
    for (let ip = 1; ip < 20; ip += 1) assert.equal(await statusOf(`2001:db8:1:${ip}::1`), 429);
    assert.equal(names().length, 1);
    assert.equal(await statusOf('2001:db8:2::1'), 429);
    assert.equal(names().length, 2, 'another network');
  });
}

for (const [result, status] of [
  ['passed', 201],
  ['unavailable', 503],
] as const) {
  test(`a sender whose checks were released is not limited by them any more: ${result}`, async () => {
    const outcomes = [NEW, limitedBy('failed-check.ip'), NEW];
    const verdict = Promise.withResolvers<BotCheckVerdict>();
    const began = Promise.withResolvers<void>();
    const verify = () => {
      began.resolve();
      return verdict.promise;
    };
    const { submit } = start(
      { begin_bot_check: () => outcomes.shift(), submit_offer: STORED },
      { limitsFailures: true, read: (token) => ({ identity: token, verify }) },
    );
    const first = submit('one');
    await began.promise;
    assert.equal((await submit('two')).status, 429);
    verdict.resolve(result);
    assert.equal((await first).status, status);
    assert.equal((await submit('three')).status, status);
  });
}

test('a sender may make other offers where too many of one domain are held', async () => {
  const outcomes = [{ outcome: 'limited', wait: 61 }, STORED];
  const { submit } = start({ submit_offer: () => outcomes.shift() });
  assert.equal((await submit(await tokenFor())).status, 429);
  assert.equal((await submit(await tokenFor())).status, 201);
});

test('the log contains no data of an offer when the database fails', async () => {
  const log = mock.method(console, 'error', () => {});
  const { submit } = start({
    submit_offer: () => {
      throw new DatabaseUnavailable('submit_offer: 57P01');
    },
  });
  await submit(await tokenFor(), { customer_name: 'Planted Person' });
  const text = JSON.stringify(log.mock.calls.map(({ arguments: args }) => args));
  assert.match(text, /57P01/);
  assert.doesNotMatch(text, /Planted|12,000|example\.com/i);
});

/** Turnstile, with the verdicts that siteverify would give. */
const turnstileLike = (verdict: BotCheckVerdict): BotCheck => ({
  limitsFailures: true,
  read: (token) => ({ identity: token, verify: async () => verdict }),
});

test('a check of Turnstile is counted for its IP before it is made, and taken back if it passes or cannot be made', async () => {
  const headers = { 'cf-connecting-ip': '192.0.2.1' };
  const failed = start({ begin_bot_check: NEW }, turnstileLike('failed'));
  assert.equal((await failed.submit('token', {}, headers)).code, 'bot_check_failed');
  assert.deepEqual(failed.names(), ['begin_bot_check']);
  const { sender, checks } = (failed.calls[0]?.args ?? {}) as { sender?: Limit[]; checks?: Limit[] };
  assert.deepEqual(
    sender?.map(({ bucket }) => bucket),
    ['submit.ip', 'submit.network'],
    'the limits of offers hold before the check',
  );
  assert.deepEqual(
    checks?.map(({ bucket, max, window }) => [bucket, max, window]),
    [
      ['failed-check.ip', 20, 600],
      ['failed-check.network', 80, 600],
    ],
  );

  const passed = start({ begin_bot_check: NEW, submit_offer: STORED }, turnstileLike('passed'));
  assert.equal((await passed.submit('token', {}, headers)).status, 201);
  assert.deepEqual(passed.calls[1]?.args.checks, checks);
  const outage = start({ begin_bot_check: NEW }, turnstileLike('unavailable'));
  const { status, headers: sent } = await outage.submit('token', {}, headers);
  assert.deepEqual([status, sent.get('retry-after')], [503, '30']);
  assert.deepEqual(outage.calls[1], { name: 'release_hits', args: { limits: checks } });
});

test('a token of Turnstile that was used, or whose sender is limited, is not verified', async () => {
  const never: BotCheck = {
    limitsFailures: true,
    read: (token) => ({ identity: token, verify: () => assert.fail('a request to siteverify') }),
  };
  for (const [begin_bot_check, status] of [
    [{ outcome: 'repeated', id: ID }, 200],
    [{ outcome: 'conflict' }, 409],
    [limitedBy('failed-check.ip'), 429],
  ] as const) {
    assert.equal((await start({ begin_bot_check }, never).submit('token')).status, status);
  }
});

test('an offer is stored with its messages and link; their language is none of its texts', async () => {
  const messages = { ...ENV, NOTIFY_URL: 'https://hooks.example/a', SMTP_URL: 'smtps://mail.example' };
  const settings = readSettings({ ...messages, MAIL_FROM: 'offers@example.com', MAIL_CONFIRM: 'yes' });
  const { calls, submit } = start({ submit_offer: STORED }, undefined, settings);
  const from = { 'cf-connecting-ip': '2001:db8:1:2::3' };
  const responses = [
    await submit(await tokenFor(), {}, from),
    await submit(await tokenFor(), { locale: 'de' }, from),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 201],
  );
  const [first, second] = calls.map(({ args }) => args);
  const toOwner = { kind: 'offer', target: 'https://hooks.example/a' };
  const limits = [
    limitOf(settings, 'confirmation.network', '2001:db8:1::/48'),
    limitOf(settings, 'confirmation.all', ''),
  ];
  assert.deepEqual(
    limits.map(({ max, window }) => [max, window]),
    [
      [5, 86_400],
      [200, 86_400],
    ],
  );
  const confirmation = { kind: 'confirmation', target: 'mailto:ada@example.com', limits };
  const links = calls.map(({ args }) => {
    const { link } = (args.messages as { link?: StoredLink & { offer_id: string } }[])[1] ?? {};
    assert.equal(link?.number, 1);
    assert.equal(link?.hash, hashOfToken(linkToken('sb_secret_t', link.offer_id, link)));
    return link;
  });
  assert.notEqual(links[0]?.nonce, links[1]?.nonce);
  assert.notEqual(links[0]?.offer_id, links[1]?.offer_id);
  assert.deepEqual(first?.messages, [toOwner, { ...confirmation, link: links[0] }]);
  assert.deepEqual(second?.messages, [toOwner, { ...confirmation, link: links[1], locale: 'de' }]);
  assert.deepEqual([first?.offer, second?.offer], [READ, { ...READ, locale: 'de' }]);
  assert.equal(first?.payload_hash, second?.payload_hash);
});

test('without settings of messages none is queued', async () => {
  const { calls, submit } = start({ submit_offer: STORED });
  await submit(await tokenFor());
  assert.deepEqual(calls[0]?.args.messages, []);
});

test('delivery is called for once for a new offer, and for no other response', async () => {
  const { submit, afterStored } = start({ submit_offer: STORED });
  await submit('no token');
  assert.equal(afterStored.mock.callCount(), 0);
  await submit(await tokenFor());
  assert.equal(afterStored.mock.callCount(), 1);
  const repeated = start({ submit_offer: { outcome: 'repeated', id: ID } });
  assert.equal((await repeated.submit(await tokenFor())).status, 200);
  assert.equal(repeated.afterStored.mock.callCount(), 0);
});
