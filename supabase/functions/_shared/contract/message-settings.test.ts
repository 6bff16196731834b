import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hostsOfMessages,
  type MessageSettings,
  readMessageSettings,
  withoutEnding,
} from './message-settings.ts';

const MAIL = {
  SMTP_URL: 'smtps://ada:secret@mail.example.com',
  MAIL_FROM: 'offers@example.com',
  MAIL_TO: 'ada@example.com',
};

function settingsOf(env: Record<string, string>): MessageSettings {
  const read = readMessageSettings(env);
  assert.equal(read.problem, undefined);
  return read.settings;
}

function problemOf(env: Record<string, string>): string {
  return readMessageSettings(env).problem ?? '';
}

test('without settings, or with empty ones, there are no messages', () => {
  const nothing = { mail: undefined, webhooks: { urls: [], secret: undefined }, siteUrl: undefined };
  assert.deepEqual(settingsOf({}), nothing);
  assert.deepEqual(
    settingsOf({ SMTP_URL: ' ', MAIL_TO: '', MAIL_CONFIRM: 'no', NOTIFY_URL: ' , ' }),
    nothing,
  );
  assert.deepEqual(hostsOfMessages(settingsOf({})), []);
});

test('reads mail with user, password, several recipients and a sender with a name', () => {
  const { mail } = settingsOf({
    SMTP_URL: 'smtps://ada%40example.com:p%3A%2F%23%25@Mail.Example.com',
    MAIL_FROM: '"Lovelace, Ada" <offers@example.com>',
    MAIL_TO: 'ada@example.com, grace@example.com,ada@example.com',
    MAIL_CONFIRM: 'yes',
  });
  assert.deepEqual(mail, {
    server: {
      host: 'mail.example.com',
      port: 465,
      secure: true,
      requireTls: false,
      auth: { user: 'ada@example.com', pass: 'p:/#%' },
    },
    from: { name: 'Lovelace, Ada', address: 'offers@example.com' },
    to: ['ada@example.com', 'grace@example.com'],
    confirm: true,
  });
});

test('recipients may have names, as the sender has, and count once', () => {
  for (const [MAIL_TO, ...to] of [
    ['Ada <ada@example.com>', 'ada@example.com'],
    [
      '"Hopper, Grace" <grace@example.com>,Ada <ada@example.com> , ada@example.com,',
      'grace@example.com',
      'ada@example.com',
    ],
    ['<ada@example.com>', 'ada@example.com'],
  ] as const) {
    assert.deepEqual(settingsOf({ ...MAIL, MAIL_TO }).mail?.to, to);
  }
});

test('smtp:// needs STARTTLS, but not on loopback', () => {
  const serverOf = (SMTP_URL: string) => settingsOf({ ...MAIL, SMTP_URL }).mail?.server;
  assert.deepEqual(serverOf('smtp://mail.example.com'), {
    host: 'mail.example.com',
    port: 587,
    secure: false,
    requireTls: true,
    auth: undefined,
  });
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    assert.equal(serverOf(`smtp://${host}:2525/`)?.requireTls, false, host);
  }
  assert.equal(serverOf('smtp://127.0.0.1.example.com:2525')?.requireTls, true);
  assert.equal(serverOf('smtp://[::1]:2525')?.host, '::1');
});

test('only confirmations may be sent by mail', () => {
  const { mail } = settingsOf({ ...MAIL, MAIL_TO: '', MAIL_CONFIRM: 'yes' });
  assert.deepEqual(mail?.to, []);
});

test('reads webhooks and their secret', () => {
  const NOTIFY_URL = 'https://hooks.example.com/a?b=c, http://127.0.0.1:8080/x';
  assert.deepEqual(settingsOf({ NOTIFY_URL, NOTIFY_SECRET: ' key ' }).webhooks, {
    urls: ['https://hooks.example.com/a?b=c', 'http://127.0.0.1:8080/x'],
    secret: 'key',
  });
});

test('names every host with its port once', () => {
  const NOTIFY_URL = 'https://a.example/1,https://a.example/2,https://b.example:8443,http://[::1]/x';
  const hosts = hostsOfMessages(settingsOf({ ...MAIL, NOTIFY_URL }));
  assert.deepEqual(hosts, ['mail.example.com:465', 'a.example:443', 'b.example:8443', '[::1]:80']);
  const ipv6 = settingsOf({ ...MAIL, SMTP_URL: 'smtp://[::1]:2525' });
  assert.deepEqual(hostsOfMessages(ipv6), ['[::1]:2525']);
});

test('an address without an ending is a warning, and no error', () => {
  const warningOf = (env: Record<string, string>) => withoutEnding(settingsOf({ ...MAIL, ...env }));
  assert.equal(warningOf({}), undefined);
  assert.equal(withoutEnding(settingsOf({})), undefined);
  assert.match(
    warningOf({ MAIL_FROM: 'Offers <offers@nordwind>' }) ?? '',
    /^MAIL_FROM has offers@nordwind, an address without/,
  );
  assert.match(
    warningOf({ MAIL_TO: 'a.b@example.com, nora@nordwind' }) ?? '',
    /^MAIL_TO has nora@nordwind, /,
  );
  assert.match(warningOf({ MAIL_TO: 'a.b@nordwind' }) ?? '', /^MAIL_TO has a\.b@nordwind, /);
});

test('an error of NOTIFY_URL names the way out for http and for user and password', () => {
  for (const NOTIFY_URL of ['http://ntfy/offers', 'https://nora:hunter2@ntfy.example/offers']) {
    const problem = problemOf({ NOTIFY_URL });
    assert.match(problem, /a proxy on this machine and write http:\/\/localhost:PORT/);
    assert.match(problem, /such as \?auth=… of ntfy\. docs\/owners-guide\.md, Messages,/);
  }
  assert.equal(
    problemOf({ NOTIFY_URL: 'http://localhost:8081/offers,https://ntfy.example/offers?auth=QmFz' }),
    '',
  );
});

test('SITE_URL is an origin', () => {
  assert.equal(settingsOf({ SITE_URL: 'https://Example.com/' }).siteUrl, 'https://example.com');
  assert.equal(settingsOf({ SITE_URL: 'http://localhost:4321' }).siteUrl, 'http://localhost:4321');
  for (const SITE_URL of ['example.com', 'https://example.com/admin', 'ftp://example.com', 'https://a@b.c']) {
    assert.match(problemOf({ SITE_URL }), /^SITE_URL must/, SITE_URL);
  }
});

test('a wrong setting is named in one line that repeats no secret', () => {
  const wrong: [string, Record<string, string>][] = [
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'https://ada:hunter2@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter2@mail.example.com:0' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter2@mail.example.com:99999' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter2/@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter2#@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter2@mail.example.com/x' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://mail.example.com/?hunter2' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://hunter2@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada@example.com:hunter2@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter@2@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, SMTP_URL: 'smtps://ada:hunter2%@mail.example.com' }],
    ['SMTP_URL', { ...MAIL, MAIL_FROM: '' }],
    ['SMTP_URL', { ...MAIL, MAIL_TO: '' }],
    ['MAIL_FROM', { MAIL_FROM: MAIL.MAIL_FROM }],
    ['MAIL_TO', { MAIL_TO: MAIL.MAIL_TO }],
    ['MAIL_CONFIRM', { MAIL_CONFIRM: 'yes' }],
    ['MAIL_CONFIRM', { ...MAIL, MAIL_CONFIRM: 'true' }],
    ['MAIL_FROM', { ...MAIL, MAIL_FROM: 'Ada' }],
    ['MAIL_FROM', { ...MAIL, MAIL_FROM: 'Ada <ada@example.com>, Grace <grace@example.com>' }],
    ['MAIL_FROM', { ...MAIL, MAIL_FROM: 'A\r\nBcc: x@y.z <ada@example.com>' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'Ada' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: ' , ' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'ada@example.com, Grace' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'Hopper, Grace <grace@example.com>' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'Ada <ada@example.com> grace@example.com' }],
    ['MAIL_TO', { ...MAIL, MAIL_TO: 'A\r\nBcc: x@y.z <ada@example.com>' }],
    ['NOTIFY_URL', { NOTIFY_URL: 'http://hooks.example.com/hunter2' }],
    ['NOTIFY_URL', { NOTIFY_URL: 'https://a.example,hunter2' }],
    ['NOTIFY_URL', { NOTIFY_URL: 'http://127.0.0.1.example.com/' }],
    ['NOTIFY_URL', { NOTIFY_URL: 'https://ada:hunter2@hooks.example.com/' }],
    ['NOTIFY_SECRET', { NOTIFY_SECRET: 'hunter2' }],
    ['NOTIFY_SECRET', { NOTIFY_URL: 'https://hooks.example.com/', NOTIFY_SECRET: 'whsec_hunter2' }],
    ['NOTIFY_SECRET', { NOTIFY_URL: 'https://hooks.example.com/', NOTIFY_SECRET: 'whsec_' }],
  ];
  for (const [name, env] of wrong) {
    const problem = problemOf(env);
    assert.match(problem, new RegExp(`^${name} .*\\.$`), JSON.stringify(env));
    assert.doesNotMatch(problem, /hunter2/);
  }
});
