import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import { checkMail, checkMessages } from './mail.ts';

/** The findings for a zone's TXT records, as `status check message`. */
async function findingsOf(
  zone: Record<string, string[]>,
  selector?: string,
  domain = 'example.com',
): Promise<string[]> {
  const textsOf = async (name: string): Promise<string[]> => {
    const texts = zone[name] ?? [];
    if (texts[0] === 'ETIMEOUT') throw new Error(`queryTxt ETIMEOUT ${name}`);
    return texts;
  };
  const findings = await checkMail(domain, selector, { textsOf });
  return findings.map(({ status, check, message }) => `${status} ${check} ${message}`);
}

const DKIM = 's1._domainkey.example.com';

test('complete records are fine', async () => {
  const zone = {
    'example.com': ['google-site-verification=x', 'v=spf1 include:_spf.example.net -all'],
    [DKIM]: ['v=DKIM1; k=rsa; p=MIGf'],
    '_dmarc.example.com': ['v=DMARC1; p=none'],
  };
  assert.deepEqual(await findingsOf(zone, 's1'), [
    'ok spf “v=spf1 include:_spf.example.net -all”',
    `ok dkim There is a key at ${DKIM}.`,
    'ok dmarc “v=DMARC1; p=none”',
  ]);
});

test('a domain without an ending has no records to look for', async () => {
  assert.deepEqual(await findingsOf({}, 's1', 'nordwind'), [
    'skip spf A domain without an ending has no records that other mail servers could read.',
  ]);
});

test('missing records say what to add', async () => {
  const [spf, dkim, dmarc] = await findingsOf({});
  assert.match(spf ?? '', /^warn spf There is no SPF record: add/);
  assert.match(dkim ?? '', /^skip dkim .*npm run messages -- test.*s=.*--dkim-selector/);
  assert.match(dmarc ?? '', /^warn dmarc .*at _dmarc\.example\.com/);
  assert.match((await findingsOf({}, 's1'))[1] ?? '', /^fail dkim There is no DKIM key at s1\._domainkey/);
});

for (const [records, wanted] of [
  [['v=spf1 -all', 'v=spf1 mx -all'], /^fail spf There are 2 SPF records/],
  [['v=spf1 +all'], /^fail spf .*lets everybody send/],
  [['v=spf1 all'], /^fail spf .*lets everybody send/],
  [['V=SPF1 mx ~all'], /^ok spf/],
  [['v=spf1 ?all'], /^ok spf/],
  [['v=spf1 mx'], /^warn spf .*end it with/],
  [['v=spf1 redirect=_spf.example.net'], /^ok spf/],
  [['v=spf10 -all'], /^warn spf There is no SPF record/],
  [['ETIMEOUT'], /^fail spf DNS failed \(queryTxt ETIMEOUT example\.com\)\. Run this again/],
] as const) {
  test(`SPF ${records.join(' and ')}`, async () => {
    assert.match((await findingsOf({ 'example.com': [...records] }))[0] ?? '', wanted);
  });
}

test('a revoked DKIM key and a DMARC record without policy fail', async () => {
  const zone = { [DKIM]: ['v=DKIM1; p='], '_dmarc.example.com': ['v=DMARC1; rua=mailto:a@example.com'] };
  const [, dkim, dmarc] = await findingsOf(zone, 's1');
  assert.match(dkim ?? '', /^fail dkim .*revoked/);
  assert.match(dmarc ?? '', /^fail dmarc .*has no policy/);
});

for (const [records, wanted] of [
  [['v=DMARC1; p=quarantine'], /^ok dmarc/],
  [['v=DMARC1;p=REJECT;sp=none'], /^ok dmarc/],
  [['v=DMARC1; sp=reject'], /^fail dmarc .*has no policy/],
  [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], /^fail dmarc There are 2 DMARC records/],
  [['v=DMARC10; p=none'], /^warn dmarc There is no DMARC record/],
] as const) {
  test(`DMARC ${records.join(' and ')}`, async () => {
    assert.match((await findingsOf({ '_dmarc.example.com': [...records] }))[2] ?? '', wanted);
  });
}

test('the DMARC record of the domain above counts where it has none itself, and none of a top-level domain', async () => {
  const above = { '_dmarc.example.com': ['v=DMARC1; p=reject'] };
  assert.equal(
    (await findingsOf(above, undefined, 'mail.eu.example.com'))[2],
    'ok dmarc “v=DMARC1; p=reject”',
  );
  const own = { ...above, '_dmarc.mail.example.com': ['v=DMARC1; p=none'] };
  assert.equal((await findingsOf(own, undefined, 'mail.example.com'))[2], 'ok dmarc “v=DMARC1; p=none”');
  assert.match((await findingsOf({ '_dmarc.com': ['v=DMARC1; p=reject'] }))[2] ?? '', /^warn dmarc/);
});

test('a server that takes no message is a failure, named with what waits for it', async (t) => {
  let problems: object[] = [
    { problem: 'The mail server x does not accept the login.', waiting: 12, next_try_at: null },
  ];
  const server = createServer((_, response) => {
    const state = { queued: 12, paused: 0, failed: 0, sent: 0, wait_seconds: 60, reason: '535 no', problems };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const settings = readSettings({
    SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    SUPABASE_SECRET_KEY: 'sb_secret_x',
  });
  const found = async () =>
    (await checkMessages(settings, 5_000)).map(({ status, message }) => `${status} ${message}`);
  assert.deepEqual(await found(), [
    'fail The mail server x does not accept the login. 12 messages wait. The last response was: 535 no',
  ]);
  const pause = { problem: 'The webhook hook.example takes no message.', waiting: 3, next_try_at: null };
  problems = [...problems, pause];
  assert.deepEqual(
    (await found()).map((line) => line.split('. ')[0]),
    ['fail The mail server x does not accept the login', 'fail The webhook hook.example takes no message'],
  );
  problems = [];
  assert.match((await found()).join(), /^ok /);
});

test('a running product whose keys are gone is a failure among the others', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'));
  const running = createSocketServer().listen(join(dataDir, 'commands.sock'));
  t.after(() => {
    running.close();
    rmSync(dataDir, { recursive: true });
  });
  await once(running, 'listening');
  const found = await checkMessages(readSettings({ DATA_DIR: dataDir }), 5_000);
  assert.deepEqual(
    found.map(({ status }) => status),
    ['fail'],
  );
  assert.match(
    found[0]?.message ?? '',
    /^The state of messages could not be read: The file \S+secrets\.json is missing or damaged/,
  );
});
