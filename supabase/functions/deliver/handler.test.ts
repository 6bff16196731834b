import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { checkResults } from '../_shared/call-database.ts';
import type { DeliverBody } from '../_shared/call-deliver.ts';
import { createContext } from '../_shared/context.ts';
import { type MessageSettings, readMessageSettings } from '../_shared/contract/message-settings.ts';
import { createLog } from '../_shared/log.ts';
import { linkToken, makeLink } from '../_shared/offer-link.ts';
import { limitOf } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/rejection.ts';
import { readSettings } from '../_shared/settings.ts';
import { DELIVERY } from './delivery.fixture.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { startSmtpServer } from './fake-smtp-server.ts';
import { createDeliver } from './handler.ts';
import { deliverOf, serveDeliver } from './serve.ts';

const CONFIGURED = {
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'offers@example.com',
  MAIL_TO: 'owner@example.com',
  NOTIFY_URL: 'https://hooks.example/a,https://hooks.example/b',
};
/** The server's name in place of a hash. */
const hashOf = (settings: string) => {
  const { host, url } = JSON.parse(settings) as { host?: string; url?: string };
  return `hash of ${host ?? url}`;
};
/** What the database returns: one value for each call that has one. */
const resultOf = (name: string, taken: unknown[] = []) =>
  name === 'acquire_messages'
    ? taken
    : name === 'report_delivery'
      ? []
      : name === 'begin_delivery'
        ? true
        : 0;
const SENT: Outcome = { status: 'sent', response: '250 fine' };

let log = '';
beforeEach(() => {
  mock.restoreAll();
  log = '';
  mock.method(console, 'log', (line: string) => {
    log += line;
  });
});

function settingsOf(env: Record<string, string>): MessageSettings {
  const read = readMessageSettings(env);
  assert.equal(read.problem, undefined);
  return read.settings;
}

async function deliver(
  body: DeliverBody,
  { env = CONFIGURED as Record<string, string>, taken = [] as Delivery[] } = {},
) {
  const calls: [string, unknown][] = [];
  const batches = [taken];
  const handler = createDeliver({
    log: createLog(console),
    replyLimits: [],
    hashOf,
    messages: settingsOf(env),
    send: async ({ kind }) =>
      kind === 'overdue' ? { status: 'failed', reason: 'no', permanent: true } : SENT,
    callDatabase: checkResults(async (name, args: unknown) => {
      calls.push([name, args]);
      return resultOf(name, name === 'acquire_messages' ? batches.shift() : []);
    }),
  });
  return { result: await handler(body), calls };
}

const TAKE = ['acquire_messages', { max: 50, lease_seconds: 60, sent: [] }];
const REPORT = [
  'report_delivery',
  {
    mail: 1,
    webhooks: 2,
    servers: {
      'mailto:': 'hash of mail.example',
      'https://hooks.example/a': 'hash of https://hooks.example/a',
      'https://hooks.example/b': 'hash of https://hooks.example/b',
    },
  },
];
const OVERDUE = [
  'queue_overdue',
  { targets: ['mailto:owner@example.com', 'https://hooks.example/a', 'https://hooks.example/b'] },
];

test('reports the settings, queues alarms, takes and sends, and counts', async () => {
  const taken: Delivery[] = [
    { ...DELIVERY, ids: [1, 2] },
    { ...DELIVERY, ids: [3], kind: 'overdue' },
  ];
  const { result, calls } = await deliver({}, { taken });
  assert.deepEqual(result, { sent: 2, failed: 1, queued: 0 });
  assert.deepEqual(calls.slice(0, 3), [REPORT, OVERDUE, TAKE]);
});

test('makes failed messages due only when it is asked to', async () => {
  assert.deepEqual((await deliver({ retry: true })).calls, [
    ['make_messages_due', {}],
    REPORT,
    OVERDUE,
    TAKE,
  ]);
  assert.deepEqual((await deliver({ retry: false })).calls, [REPORT, OVERDUE, TAKE]);
});

test('without settings it reports that, and queues no alarms', async () => {
  const { calls } = await deliver({}, { env: {} });
  assert.deepEqual(calls, [['report_delivery', { mail: 0, webhooks: 0, servers: {} }], TAKE]);
});

test('a request with the secret key and a body of its shape alone sends messages', async () => {
  const settings = readSettings({
    SUPABASE_URL: 'https://project.example',
    SUPABASE_SECRET_KEY: 'sb_secret_t',
  });
  const called: unknown[] = [];
  const { fetch } = serveDeliver(createContext(settings, { log: createLog(console) }), async (body) => {
    called.push(body);
    return { sent: 1, failed: 0, queued: 0 };
  });
  const send = async (apikey: string, body: unknown) => {
    const headers = { apikey, 'content-type': 'application/json' };
    return await fetch(
      new Request('https://x.example/functions/v1/deliver', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }),
    );
  };
  for (const body of [{ retry: 1 }, { again: true }, { notice: 'recovered' }, []])
    assert.equal((await send('sb_secret_t', body)).status, 400);
  assert.equal((await send('sb_secret_other', {})).status, 401);
  assert.deepEqual(called, []);
  const response = await send('sb_secret_t', { retry: true });
  assert.deepEqual(await response.json(), { sent: 1, failed: 0, queued: 0 });
  assert.deepEqual(called, [{ retry: true }]);
});

test('a wrong setting of messages has nothing sent or reported as not configured', async () => {
  const errors: string[] = [];
  const settings = readSettings({
    SUPABASE_URL: 'https://project.example',
    SUPABASE_SECRET_KEY: 'sb_secret_t',
    MAIL_TO: 'owner@example.com',
  });
  const printer = { log: () => {}, error: (line: string) => errors.push(line) };
  const { fetch } = serveDeliver(createContext(settings, { log: createLog(printer) }), () =>
    assert.fail('delivered'),
  );
  const headers = { apikey: 'sb_secret_t', 'content-type': 'application/json' };
  const request = new Request('https://x.example/functions/v1/deliver', {
    method: 'POST',
    headers,
    body: '{}',
  });
  assert.equal((await fetch(request)).status, 503);
  assert.match(errors.join(), /"not_configured".*MAIL_TO is set without SMTP_URL/);
});

test('a message is sent while no catalogue can be read', async () => {
  const [target] = CONFIGURED.NOTIFY_URL.split(',');
  const batches = [[{ ...DELIVERY, target }]];
  const requested = mock.method(globalThis, 'fetch', async () => new Response());
  const context = createContext(
    readSettings({
      SUPABASE_URL: 'https://project.example',
      SUPABASE_SECRET_KEY: 'sb_secret_t',
      ...CONFIGURED,
    }),
    {
      log: createLog(console),
      callDatabase: checkResults(async (name) => {
        if (name === 'read_listings') throw new DatabaseUnavailable(name);
        return resultOf(name, name === 'acquire_messages' ? batches.shift() : []);
      }),
    },
  );
  assert.deepEqual(await deliverOf(context)({}), { sent: 1, failed: 0, queued: 0 });
  assert.deepEqual(
    requested.mock.calls.map(({ arguments: [url] }) => url),
    [target],
  );
});

test('messages have the links, the language and the settings of the published catalogue', async () => {
  await using smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  const settings = readSettings({
    SUPABASE_URL: 'https://project.example',
    SUPABASE_SECRET_KEY: 'sb_secret_t',
    ...CONFIGURED,
    NOTIFY_URL: '',
    SMTP_URL: `smtp://127.0.0.1:${smtp.server.port}`,
    MAIL_CONFIRM: 'yes',
  });
  const [offer = assert.fail()] = DELIVERY.offers;
  const link = makeLink('sb_secret_t', offer.id, 1);
  const mailOf = (kind: Delivery['kind'], more: object, target = 'mailto:ada@buyer.example') => ({
    ...DELIVERY,
    kind,
    target,
    offers: [{ ...offer, domain_name: 'sold.example', ...more }],
  });
  const move = { number: 2, side: 'owner', amount: '€5' };
  const batches = [
    [
      mailOf('confirmation', {}),
      mailOf('reply', { language: 'en', link, move: { ...move, kind: 'counter' } }),
      mailOf('reply', { link, move: { ...move, kind: 'decline' } }),
      mailOf('offer', {}, 'mailto:owner@example.com'),
    ],
  ];
  let limits: unknown;
  const callDatabase = checkResults(async (name, args: { reminder_limits?: unknown }) => {
    if (name === 'queue_overdue') limits = args.reminder_limits;
    return name === 'read_listings'
      ? {
          ...{ version: 1, hosts: ['names.example'], language: 'de', states: { 'sold.example': 'sold' } },
          settings: { owner: 'Ada Seller', languages: ['de', 'en'] },
        }
      : resultOf(name, name === 'acquire_messages' ? batches.shift() : []);
  });
  const deliver = deliverOf(createContext(settings, { log: createLog(console), callDatabase }));
  assert.equal((await deliver({})).sent, 4);
  assert.deepEqual(limits, [limitOf(settings, 'reply.all', '')]);
  const texts = new Map(smtp.mails.map(({ parsed }) => [parsed.subject, parsed.text ?? '']));
  const textOf = (subject: string) => texts.get(subject) ?? assert.fail([...texts.keys()].join());
  assert.match(textOf('Ihr Angebot für sold.example ist angekommen'), /^Verkäufer: Ada Seller$/m);
  const counter = textOf('Gegenangebot für sold.example');
  assert.ok(counter.includes(`https://names.example/en/offer/#${linkToken('sb_secret_t', offer.id, link)}`));
  // The link of a name that is not for sale opens nothing.
  assert.doesNotMatch(textOf('Ihr Angebot für sold.example ist abgelehnt'), /#/);
  assert.match(textOf('New offer for sold.example'), /https:\/\/names\.example\/admin\/dashboard#offer=/);
});

test('logs kinds and counts without targets, and nothing where nothing was due', async () => {
  await deliver({});
  assert.equal(log, '');
  await deliver({}, { taken: [DELIVERY] });
  const { time: _, ...line } = JSON.parse(log) as Record<string, unknown>;
  assert.deepEqual(line, {
    event: 'messages',
    function: 'deliver',
    offer: { sent: 1, failed: 0, queued: 0 },
  });
});

test('buyers are reminded where confirmations are on, also without a target of the owner', async () => {
  for (const [more, overdue] of [
    [{}, { targets: ['mailto:owner@example.com'] }],
    [{ MAIL_CONFIRM: 'yes' }, { targets: ['mailto:owner@example.com'], reminder_limits: [] }],
    [
      { MAIL_CONFIRM: 'yes', MAIL_TO: '' },
      { targets: [], reminder_limits: [] },
    ],
  ] as const) {
    const { calls } = await deliver({}, { env: { ...CONFIGURED, NOTIFY_URL: '', ...more } });
    const [call] = calls.filter(([name]) => name === 'queue_overdue');
    assert.deepEqual(call?.[1], overdue);
  }
});

test('settings are reported and overdue offers looked for once a minute, however often messages are delivered', async () => {
  let time = 0;
  const called: string[] = [];
  const handler = createDeliver({
    log: createLog(console),
    replyLimits: [],
    hashOf,
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      return resultOf(name);
    }),
    now: () => time,
  });
  const checks = () =>
    ['report_delivery', 'queue_overdue'].map((name) => called.filter((one) => one === name).length);
  for (let offers = 0; offers < 3; offers += 1) await handler({});
  assert.deepEqual(checks(), [1, 1]);
  time = 60_000;
  await handler({});
  assert.deepEqual(checks(), [2, 2]);
});

test('alarms that could not be queued are queued by the next delivery, not a minute later', async () => {
  const called: string[] = [];
  const handler = createDeliver({
    log: createLog(console),
    replyLimits: [],
    hashOf,
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      if (called.length === 2) throw new DatabaseUnavailable(name);
      return resultOf(name);
    }),
    now: () => 0,
  });
  await assert.rejects(handler({}), DatabaseUnavailable);
  await handler({});
  await handler({});
  assert.deepEqual(called, [
    'report_delivery',
    'queue_overdue',
    'report_delivery',
    'queue_overdue',
    'acquire_messages',
    'acquire_messages',
  ]);
});

test('one delivery at a time: calls during one are delivered together after it, the retry too', async () => {
  const called: string[] = [];
  const taken = Promise.withResolvers<Delivery[]>();
  const handler = createDeliver({
    log: createLog(console),
    replyLimits: [],
    hashOf,
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      return resultOf(name, name === 'acquire_messages' ? await taken.promise : []);
    }),
    now: () => 0,
  });
  const first = handler({});
  await new Promise(setImmediate);
  const later = [{}, { retry: true }, {}].map((body) => handler(body));
  await new Promise(setImmediate);
  assert.deepEqual(called, ['report_delivery', 'queue_overdue', 'acquire_messages']);
  taken.resolve([]);
  await Promise.all([first, ...later]);
  // A retry takes leases back: never from a delivery under way.
  assert.deepEqual(called.slice(3), ['make_messages_due', 'acquire_messages']);
});

test('a retry that fails is made by the next delivery', async () => {
  const called: string[] = [];
  const handler = createDeliver({
    log: createLog(console),
    replyLimits: [],
    hashOf,
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      if (called.length === 1) throw new DatabaseUnavailable(name);
      return resultOf(name);
    }),
  });
  await assert.rejects(handler({ retry: true }), DatabaseUnavailable);
  for (let time = 0; time < 3; time += 1) await handler({});
  const retries = called.flatMap((name, at) => (name === 'make_messages_due' ? [at] : []));
  assert.deepEqual(retries, [0, 1], 'and by no other');
});

test('a notice is sent at once to every target of the owner, with no call of the database', async () => {
  const sent: Delivery[] = [];
  const handler = createDeliver({
    log: createLog(console),
    replyLimits: [],
    hashOf,
    messages: settingsOf(CONFIGURED),
    send: async (delivery) => {
      sent.push(delivery);
      const isMail = delivery.target.startsWith('mailto:');
      return isMail ? SENT : { status: 'failed', reason: 'no', permanent: true };
    },
    callDatabase: () => assert.fail('a call of the database'),
  });
  assert.deepEqual(await handler({ notice: 'wrong_codes' }), { sent: 1, failed: 2, queued: 0 });
  const [{ batch } = {}] = sent;
  assert.match(batch ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    sent,
    ['mailto:owner@example.com', 'https://hooks.example/a', 'https://hooks.example/b'].map((target) => ({
      ...{ ids: [], kind: 'wrong_codes', target, locale: null, batch, attempts: 1, offers: [] },
    })),
  );
  assert.deepEqual((JSON.parse(log) as Record<string, unknown>).wrong_codes, {
    sent: 1,
    failed: 2,
    queued: 0,
  });
});

test('the database learns of a change of any setting of a server, and of no other server’s', async () => {
  const before = { ...CONFIGURED, NOTIFY_SECRET: 'a secret of 24 characters' };
  const hashesOf = async (change: Record<string, string>) => {
    const reports: Record<string, string>[] = [];
    const handler = createDeliver({
      log: createLog(console),
      replyLimits: [],
      hashOf: (settings) => settings,
      messages: settingsOf({ ...before, ...change }),
      send: async () => SENT,
      callDatabase: checkResults(async (name, args: { servers: Record<string, string> }) => {
        if (name === 'report_delivery') reports.push(args.servers);
        return resultOf(name);
      }),
    });
    await handler({});
    return reports[0] ?? {};
  };
  const own = await hashesOf({});
  for (const [change, servers] of [
    [{ SMTP_URL: 'smtps://ada:word@mail.example' }, ['mailto:']],
    [{ MAIL_FROM: 'others@example.com' }, ['mailto:']],
    [
      { NOTIFY_SECRET: 'another secret of 24 characters' },
      ['https://hooks.example/a', 'https://hooks.example/b'],
    ],
    [{ MAIL_TO: 'other@example.com' }, []],
  ] as const) {
    const other = await hashesOf(change);
    const changed = Object.keys(own).filter((server) => other[server] !== own[server]);
    assert.deepEqual(changed, servers, JSON.stringify(change));
  }
});

test('a server that works again is reported to the owner, by mail where there is one, until one was sent', async () => {
  const recovery = {
    problem: 'The mail server x does not accept the login.',
    since: '2026-11-26T05:18:00Z',
    waited: 12,
  };
  for (const [env, targets] of [
    [CONFIGURED, ['mailto:owner@example.com']],
    [{ NOTIFY_URL: CONFIGURED.NOTIFY_URL }, ['https://hooks.example/a', 'https://hooks.example/b']],
  ] as const) {
    const servers = ['mailto:', 'https://hooks.example/a'];
    const sent: Delivery[] = [];
    const called: unknown[] = [];
    let works = false;
    let time = 0;
    const handler = createDeliver({
      replyLimits: [],
      log: createLog(console),
      hashOf,
      messages: settingsOf(env),
      send: async (delivery) => {
        sent.push(delivery);
        return works ? SENT : { status: 'failed', reason: '451 later', permanent: false };
      },
      callDatabase: checkResults(async (name, args: unknown) => {
        if (name === 'mark_recovery_reported') called.push(args);
        return name === 'report_delivery'
          ? servers.map((server) => ({ server, ...recovery }))
          : resultOf(name);
      }),
      now: () => time,
    });
    await handler({});
    assert.deepEqual(called, []);
    works = true;
    time = 60_000;
    await handler({});
    assert.deepEqual(
      called,
      servers.map((server) => ({ server })),
    );
    assert.deepEqual(
      sent.map(({ kind, target, recovery }) => [kind, target, recovery]),
      [...targets, ...targets, ...targets, ...targets].map((target) => ['recovered', target, recovery]),
    );
  }
});
