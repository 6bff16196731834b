import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { type Challenge, ChallengeSchema } from '../_shared/contract/bot-check.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { issueChallenge, type ProofPurpose } from '../_shared/proof-of-work.ts';
import { type Limit, limitOf } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/rejection.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import type { BotCheck, BotCheckVerdict } from './bot-check.ts';
import { createSubmitOffer } from './handler.ts';
import { proofOfWork } from './proof-of-work.ts';

const KEY = 'sb_publishable_test';
const ENV = { SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' };
// @supabase/server reads them itself.
Object.assign(process.env, { ...ENV, SUPABASE_PUBLISHABLE_KEY: KEY });
const SETTINGS = readSettings(ENV);
const LISTINGS = fixedListings(
  {
    names: new Set(['lap.app', 'sample.app', 'sold.example', 'reserved.example']),
    hosts: [],
    adminHost: undefined,
  },
  { 'sold.example': 'sold', 'reserved.example': 'reserved' },
);
const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '$12,000',
  customer_name: 'Ada',
  customer_email: 'Ada@Example.com',
};
const ID = '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162';

interface Call {
  name: string;
  args: Record<string, unknown> & { steps: Limit[]; token_hash: string; payload_hash: string };
}

/** Responses of the database's functions; each may be a function that throws. */
type Responses = Partial<Record<'announce_offer' | 'submit_offer' | 'count_failed_check', unknown>>;

function start(responses: Responses, botCheck: BotCheck = proofOfWork(SETTINGS), settings = SETTINGS) {
  const calls: Call[] = [];
  const afterStored = mock.fn();
  const handler = createSubmitOffer({
    settings,
    listings: LISTINGS,
    botCheck,
    afterStored,
    callDatabase: async (name, args) => {
      calls.push({ name, args: args as Call['args'] });
      const response = responses[name as keyof Responses];
      return typeof response === 'function' ? response() : response;
    },
  });
  const served = serveFunction(
    { name: 'order-submit', method: 'POST', listings: LISTINGS, settings: SETTINGS },
    handler,
  );
  const submit = async (
    turnstile_token: string,
    change: object = {},
    headers: Record<string, string> = {},
  ) => {
    const response = await served.fetch(
      new Request('http://localhost/functions/v1/order-submit', {
        method: 'POST',
        headers: { apikey: KEY, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ ...OFFER, turnstile_token, ...change }),
      }),
    );
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, code: body.code, body, headers: response.headers };
  };
  return { calls, submit, afterStored, names: () => calls.map(({ name }) => name) };
}

const NEW = { outcome: 'new', step: 0 };
const STORED = { outcome: 'stored', id: ID };

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}
const FOR_LAP: ProofPurpose = { action: 'order-submit', domain: 'lap.app' };
const tokenFor = async (purpose: ProofPurpose = FOR_LAP, step = 0, expiresAt?: number) =>
  solve(await issueChallenge(SETTINGS, purpose, step, expiresAt));
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

test('a message is stored as entered, a blank one is none, and any other error names the field', async () => {
  const { calls, submit } = start({ submit_offer: STORED });
  for (const message of ['\n <b>one</b>\n\ttwo ', ' \n\t ', ' \u3164\n\u200b']) {
    assert.equal((await submit(await tokenFor(), { message })).status, 201);
  }
  assert.deepEqual(
    calls.map(({ args }) => args.offer),
    [{ ...OFFER, message: '\n <b>one</b>\n\ttwo ' }, OFFER, OFFER],
  );
  for (const [message, expected] of [
    ['a'.repeat(1001), 'Please shorten your message to 1000 characters.'],
    ['a\u0000', 'Please remove control characters from your message.'],
    ['a\ud800', 'Please remove control characters from your message.'],
    [['a'], 'Please fill in your message.'],
  ] as const) {
    const { status, body } = await submit(await tokenFor(), { message });
    assert.deepEqual([status, body.field, body.error], [400, 'message', expected]);
  }
});

test('an offer is stored in one call of the database, with the steps of its limits', async () => {
  const { calls, submit, names } = start({ submit_offer: STORED });
  const { status, body } = await submit(await tokenFor(), {}, { 'cf-connecting-ip': '192.0.2.1' });
  assert.equal(status, 201);
  assert.deepEqual(body, { id: ID });
  assert.deepEqual(names(), ['submit_offer']);
  const [submitted] = calls.map(({ args }) => args);
  const rates = ({ bucket, max, window }: Limit) => [bucket, max, window];
  assert.deepEqual(submitted?.steps.map(rates), [
    ['submit.address', 20, 600],
    ['submit.network-24', 80, 600],
    ['submit.domain', 60, 3600],
    ['submit.everybody', 600, 600],
  ]);
  assert.deepEqual(submitted?.offer, OFFER);
  assert.deepEqual([submitted?.work, submitted?.max_work], [0, 4]);
  const held = submitted?.held_limits as Limit[];
  assert.deepEqual(held.map(rates), [
    ['held.address', 25, 86_400],
    ['held.network-24', 50, 86_400],
    ['held.domain', 500, 86_400],
    ['held.domain-again', 250, 86_400],
  ]);
  assert.deepEqual(held.map(({ after }) => after && rates(after)).at(-1), [
    'held.domain-and-network',
    1,
    86_400,
  ]);
  const ownOf = (limits: Limit[] = []) => limits.filter(({ own }) => own).map(({ bucket }) => bucket);
  assert.deepEqual(ownOf(submitted?.steps), ['submit.address', 'submit.network-24']);
  assert.deepEqual(ownOf(held), ['held.address', 'held.network-24']);
});

test('an IPv6 sender counts in the /64, the /56 and the /48, and unknown senders share one limit', async () => {
  const limitsFrom = async (headers: Record<string, string>) => {
    const { calls, submit } = start({ submit_offer: STORED });
    await submit(await tokenFor(), {}, headers);
    const { steps = [], held_limits = [] } = { ...calls[0]?.args };
    const own = [...steps, ...(held_limits as Limit[])].filter((limit) => limit.own);
    return own.map(({ bucket, max }) => [bucket, max]);
  };
  assert.deepEqual(await limitsFrom({ 'cf-connecting-ip': '2001:db8:1:ab01::7' }), [
    ['submit.address', 20],
    ['submit.network-56', 80],
    ['submit.network-48', 320],
    ['held.address', 25],
    ['held.network-56', 50],
    ['held.network-48', 100],
  ]);
  assert.deepEqual(await limitsFrom({}), [
    ['submit.unknown-address', 60],
    ['held.unknown-address', 100],
  ]);
});

test('the limits of an offer count each ip and domain apart, and no email', async () => {
  const keysOf = async (change: object, ip = '192.0.2.1') => {
    const { calls, submit } = start({ submit_offer: STORED });
    const domain = (change as { domain_name?: string }).domain_name ?? 'lap.app';
    await submit(await tokenFor({ ...FOR_LAP, domain }), change, { 'cf-connecting-ip': ip });
    return Object.fromEntries(calls[0]?.args.steps.map(({ bucket, key }) => [bucket, key]) ?? []);
  };
  const [ada, other, elsewhere, sample] = [
    await keysOf({}),
    await keysOf({ customer_email: 'grace@example.com' }),
    await keysOf({}, '192.0.2.2'),
    await keysOf({ domain_name: 'sample.app' }),
  ];
  const differing = (one: Record<string, string>) =>
    Object.keys(ada ?? {}).filter((key) => one[key] !== ada?.[key]);
  assert.deepEqual(differing(other ?? {}), []);
  assert.deepEqual(differing(elsewhere ?? {}), ['submit.address']);
  assert.deepEqual(differing(await keysOf({}, '198.51.100.1')), ['submit.address', 'submit.network-24']);
  assert.deepEqual(differing(sample ?? {}), ['submit.domain']);
});

test('held offers of one /24 or /48 are one network of their domain', async () => {
  const keyOf = async (ip: string, domain = 'lap.app') => {
    const { calls, submit } = start({ submit_offer: STORED });
    const offer = { domain_name: domain };
    await submit(await tokenFor({ ...FOR_LAP, domain }), offer, { 'cf-connecting-ip': ip });
    return (calls[0]?.args.held_limits as Limit[] | undefined)?.at(-1)?.after?.key;
  };
  const ipv4 = await keyOf('192.0.2.1');
  assert.equal(await keyOf('192.0.2.200'), ipv4);
  assert.notEqual(await keyOf('192.0.3.1'), ipv4);
  assert.notEqual(await keyOf('192.0.2.1', 'sample.app'), ipv4);
  const ipv6 = await keyOf('2001:db8:1:ab01::7');
  assert.equal(await keyOf('2001:db8:1:1::1'), ipv6);
  assert.notEqual(await keyOf('2001:db8:2:1::1'), ipv6);
});

test('a forged token, or one made for another purpose, costs no call of the database', async () => {
  const { submit, names } = start({});
  const other = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_other' });
  for (const token of [
    'no token',
    btoa('{}'),
    await solve(await issueChallenge(other, FOR_LAP, 0)),
    await tokenFor({ action: 'order-submit', domain: 'sample.app' }),
    await tokenFor({ action: 'sign-in', account: 'a' }),
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

test('an offer with too little work is rejected with a harder challenge, whose proof is the same offer', async () => {
  const outcomes = [{ outcome: 'harder', step: 2 }, STORED];
  const { calls, submit } = start({ submit_offer: () => outcomes.shift() });
  const first = await submit(await tokenFor());
  assert.equal(`${first.status} ${first.code}`, '403 harder_check');
  assert.match(String(first.body.error), /^[A-Z].+\.$/);
  const challenge = ChallengeSchema.parse(first.body.challenge);
  assert.equal(challenge.parameters.cost, 256);
  assert.ok(challenge.parameters.expiresAt > inSeconds(290));

  const second = await submit(await solve(challenge));
  assert.equal(second.status, 201);
  assert.deepEqual(
    calls.map(({ args }) => args.work),
    [0, 2],
  );
  assert.equal(new Set(calls.map(({ args }) => args.token_hash)).size, 1);
});

test('a harder challenge is valid for its domain only', async () => {
  const { submit } = start({ submit_offer: { outcome: 'harder', step: 1 } });
  const { body } = await submit(await tokenFor());
  const token = await solve(ChallengeSchema.parse(body.challenge));
  assert.equal((await submit(token, { domain_name: 'sample.app' })).code, 'bot_check_failed');
});

test('a token with too little work sent again costs no call of the database, and its harder proof does', async () => {
  const outcomes = [{ outcome: 'harder', step: 1 }, STORED];
  const { submit, names } = start({ submit_offer: () => outcomes.shift() });
  const token = await tokenFor();
  const { body } = await submit(token);
  for (let time = 0; time < 3; time += 1) assert.equal((await submit(token)).code, 'harder_check');
  assert.deepEqual(names(), ['submit_offer']);
  assert.equal((await submit(await solve(ChallengeSchema.parse(body.challenge)))).status, 201);
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

test('a used token sent again costs no call of the database', async () => {
  const { submit, names } = start({ submit_offer: STORED });
  const token = await tokenFor();
  assert.equal((await submit(token)).status, 201);
  const again = await submit(token);
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, { id: ID });
  const other = await submit(token, { offer_amount: '$1' });
  assert.equal(`${other.status} ${other.code}`, '409 bot_check_used');
  assert.deepEqual(names(), ['submit_offer']);
});

test('a stored offer sent again gets its id, also after its token has expired', async () => {
  const repeated = { outcome: 'repeated', id: ID };
  for (const [name, seconds] of [
    ['submit_offer', 300],
    ['announce_offer', -3600],
  ] as const) {
    const { submit, names } = start({ [name]: repeated });
    const { status, body } = await submit(await tokenFor(FOR_LAP, 0, inSeconds(seconds)));
    assert.equal(status, 200);
    assert.deepEqual(body, { id: ID });
    assert.deepEqual(names(), [name]);
  }
});

test('an expired token is rejected, and costs one call of the database', async () => {
  const { submit, names } = start({ announce_offer: NEW });
  const token = await tokenFor(FOR_LAP, 0, inSeconds(-1));
  for (let time = 0; time < 3; time += 1) {
    const { status, code } = await submit(token);
    assert.equal(`${status} ${code}`, '403 bot_check_expired');
  }
  assert.deepEqual(names(), ['announce_offer']);
});

test('a stored offer stays cached when a concurrent request finds its token expired', async () => {
  const delayed = Promise.withResolvers<unknown>();
  const announced = Promise.withResolvers<void>();
  let announcements = 0;
  const { submit, names } = start({
    announce_offer: () => {
      announced.resolve();
      return announcements++ === 0 ? delayed.promise : { outcome: 'repeated', id: ID };
    },
  });
  const token = await tokenFor(FOR_LAP, 0, inSeconds(-1));
  const late = submit(token);
  await announced.promise;
  assert.equal((await submit(token)).status, 200);
  delayed.resolve(NEW);
  assert.equal((await late).code, 'bot_check_expired');
  assert.equal((await submit(token)).status, 200);
  assert.deepEqual(names(), ['announce_offer', 'announce_offer']);
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

test('an offer is rejected with the time to wait if too many are held', async () => {
  const { submit } = start({ submit_offer: { outcome: 'limited', wait: 61 } });
  const { status, code, body, headers } = await submit(await tokenFor());
  assert.equal(`${status} ${code} ${body.minutes}`, '429 too_many_offers 2');
  assert.equal(headers.get('retry-after'), '61');
});

test('a limited token sent again costs no call of the database until its wait is over', async () => {
  const limited = { outcome: 'limited', wait: 61 };
  // The second token has expired.
  for (const seconds of [300, -1]) {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const { submit, names } = start({ announce_offer: limited, submit_offer: limited });
    const token = await tokenFor(FOR_LAP, 0, inSeconds(seconds));
    await submit(token);
    mock.timers.tick(30_500);
    const again = await submit(token, { offer_amount: '$1' });
    assert.equal(`${again.status} ${again.headers.get('retry-after')}`, '429 31');
    assert.equal(names().length, 1);
    mock.timers.tick(30_500);
    assert.equal((await submit(token)).status, 429);
    assert.equal(names().length, 2);
    mock.timers.reset();
  }
});

test('after a restart a used token costs one call of the database, whatever texts come with it', async () => {
  const token = await tokenFor();
  const before = start({ submit_offer: STORED });
  await before.submit(token);
  const payload_hash = before.calls[0]?.args.payload_hash;
  const { submit, names } = start({ submit_offer: { outcome: 'conflict', id: ID, payload_hash } });
  for (const offer_amount of ['$1', '$1', '$2', '$3']) {
    assert.equal((await submit(token, { offer_amount })).code, 'bot_check_used');
  }
  const { status, body } = await submit(token);
  assert.deepEqual([status, body], [200, { id: ID }], 'the texts of the stored offer');
  assert.deepEqual(names(), ['submit_offer']);
});

test('an unverified token is not cached as limited', async () => {
  const { submit, names } = start(
    { announce_offer: { outcome: 'limited', wait: 60 } },
    turnstileLike('passed'),
  );
  for (let time = 0; time < 2; time += 1) {
    const { status, code, headers } = await submit('token');
    assert.equal(`${status} ${code} ${headers.get('retry-after')}`, '429 too_many_offers 60');
  }
  assert.equal(names().length, 2);
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
  maxWork: 0,
  limitsFailures: true,
  read: async (token) => ({ identity: token, work: 0, verify: async () => verdict }),
});

test('an offer above a limit is held at once with Turnstile', async () => {
  const { calls, submit } = start(
    { announce_offer: { outcome: 'new', step: 3 }, submit_offer: STORED },
    turnstileLike('passed'),
  );
  assert.equal((await submit('token')).status, 201);
  assert.deepEqual([calls.at(-1)?.args.work, calls.at(-1)?.args.max_work], [0, 0]);
});

test('tokens that Turnstile rejects count against their ip, and an outage of siteverify does not', async () => {
  const failed = start({ announce_offer: NEW, count_failed_check: 0 }, turnstileLike('failed'));
  assert.equal((await failed.submit('token')).code, 'bot_check_failed');
  assert.deepEqual(failed.names(), ['announce_offer', 'count_failed_check']);
  const [announced, counted] = failed.calls.map(({ args }) => args);
  assert.deepEqual(counted?.limits, announced?.failures);
  assert.equal(((announced?.failures ?? []) as Limit[])[0]?.bucket, 'failed-check.unknown-address');

  const limited = start({ announce_offer: { outcome: 'limited', wait: 60 } }, turnstileLike('failed'));
  assert.equal((await limited.submit('token')).status, 429);
  const outage = start({ announce_offer: NEW }, turnstileLike('unavailable'));
  assert.equal((await outage.submit('token')).status, 503);
  assert.deepEqual(outage.names(), ['announce_offer']);
});

test('an offer is stored with its messages; their language is none of its texts', async () => {
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
    limitOf(settings, 'confirmation.network', '2001:db8:1/48'),
    limitOf(settings, 'confirmation.everybody', ''),
  ];
  assert.deepEqual(
    limits.map(({ max, window }) => [max, window]),
    [
      [5, 86_400],
      [200, 86_400],
    ],
  );
  const confirmation = { kind: 'confirmation', target: 'mailto:ada@example.com', limits };
  assert.deepEqual(first?.messages, [toOwner, confirmation]);
  assert.deepEqual(second?.messages, [toOwner, { ...confirmation, locale: 'de' }]);
  assert.deepEqual([first?.offer, second?.offer], [OFFER, { ...OFFER, locale: 'de' }]);
  assert.equal(first?.payload_hash, second?.payload_hash);
});

test('without settings of messages none is queued', async () => {
  const { calls, submit } = start({ submit_offer: STORED });
  await submit(await tokenFor());
  assert.deepEqual(calls[0]?.args.messages, []);
});

test('delivery is called for once for a new offer, and for no other response', async () => {
  const { submit, afterStored } = start({ submit_offer: STORED });
  const token = await tokenFor();
  await submit('no token');
  assert.equal(afterStored.mock.callCount(), 0);
  await submit(token);
  await submit(token);
  assert.equal(afterStored.mock.callCount(), 1);
  const repeated = start({ submit_offer: { outcome: 'repeated', id: ID } });
  assert.equal((await repeated.submit(await tokenFor())).status, 200);
  assert.equal(repeated.afterStored.mock.callCount(), 0);
});
