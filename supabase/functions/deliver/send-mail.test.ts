import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { SMTPServerOptions } from 'smtp-server';
import { DELIVERY, MAIL, SITE_URL } from './delivery.fixture.ts';
import type { Outcome } from './delivery.ts';
import { startSmtpServer } from './fake-smtp-server.ts';
import { createSendMail } from './send-mail.ts';
import { TLS_AUTHORITY } from './tls.fixture.ts';

const TRUSTED = getCACertificates('default');
const trust = (certificates: string[]) => setDefaultCACertificates([...TRUSTED, ...certificates]);

const PASSWORD = { user: 'ada', pass: 'correct horse' };
const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ username, password }, _, callback) =>
  username === PASSWORD.user && password === PASSWORD.pass
    ? callback(null, { user: username })
    : callback(rejection(535, `5.7.8 Wrong password ${password} for ${username}@example.com`));

function rejection(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

const SITE = { siteUrl: SITE_URL, language: 'en' };

function sender(server: Partial<typeof MAIL.server>, timeoutMs?: number) {
  const sendMail = createSendMail({ ...MAIL, server: { ...MAIL.server, ...server } }, timeoutMs);
  return (delivery = DELIVERY) => sendMail(delivery, SITE);
}

function send(server: Partial<typeof MAIL.server>, timeoutMs?: number): Promise<Outcome> {
  return sender(server, timeoutMs)();
}

test('sends a mail with password over STARTTLS', async () => {
  trust([TLS_AUTHORITY]);
  await using smtp = await startSmtpServer({ onAuth, authOptional: false });
  const outcome = await send({ ...smtp.server, auth: PASSWORD, requireTls: true });
  assert.equal(outcome.status, 'sent', JSON.stringify(outcome));
  assert.match(outcome.response, /^250 /);
  const [mail] = smtp.mails;
  assert.equal(smtp.mails.length, 1);
  assert.deepEqual([mail?.secure, mail?.user, mail?.from], [true, 'ada', 'offers@mail.example']);
  assert.deepEqual(mail?.to, ['owner@example.com']);
});

test('sends a mail over TLS from the first byte', async () => {
  trust([TLS_AUTHORITY]);
  await using smtp = await startSmtpServer({ onAuth, authOptional: false, secure: true });
  const outcome = await send({ ...smtp.server, host: 'localhost', auth: PASSWORD });
  assert.equal(outcome.status, 'sent', JSON.stringify(outcome));
  assert.equal(smtp.mails[0]?.secure, true);
});

test('sends a mail without TLS only where none is required', async () => {
  trust([]);
  await using smtp = await startSmtpServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
  const rejected = await send({ ...smtp.server, requireTls: true });
  assert.equal(rejected.status, 'failed');
  assert.equal(rejected.permanent, false);
  assert.equal(smtp.mails.length, 0);
  assert.equal((await send(smtp.server)).status, 'sent');
});

test('a mail server on this machine needs no signed certificate', async () => {
  trust([]);
  await using smtp = await startSmtpServer();
  assert.equal((await send(smtp.server)).status, 'sent');
  assert.equal(smtp.mails[0]?.secure, true);
});

test('mails one after the other share a connection, and a rejected one keeps none from being sent', async () => {
  trust([]);
  let connections = 0;
  await using smtp = await startSmtpServer({
    onConnect: (_, callback) => {
      connections += 1;
      callback();
    },
    onRcptTo: ({ address }, _, callback) =>
      callback(address === 'gone@example.com' ? rejection(550, 'gone') : undefined),
  });
  const send = sender(smtp.server);
  const statuses = [];
  const used = [];
  for (const target of ['owner@example.com', 'ada@example.com', 'gone@example.com', 'bob@example.com']) {
    statuses.push((await send({ ...DELIVERY, target: `mailto:${target}` })).status);
    used.push(connections);
  }
  assert.deepEqual(statuses, ['sent', 'sent', 'failed', 'sent']);
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [['owner@example.com'], ['ada@example.com'], ['bob@example.com']],
  );
  assert.deepEqual(used.slice(0, 3), [1, 1, 1]);
});

test('a connection that ends between two mails or in the middle of one is replaced, and no mail is sent twice', async () => {
  trust([]);
  const received: string[] = [];
  await using smtp = await startSmtpServer({
    onMailFrom: (_, session, callback) =>
      received.length === 1 && connections.size === 1 ? smtp.drop(session) : callback(),
    onConnect: ({ id }, callback) => {
      connections.add(id);
      callback();
    },
    onData: (stream, session, callback) => {
      stream.resume().once('end', () => {
        received.push(session.envelope.rcptTo[0]?.address ?? '');
        if (received.at(-1) === 'dropped@example.com') smtp.drop(session);
        else callback();
      });
    },
  });
  const connections = new Set<string>();
  const targets = ['first', 'second', 'dropped', 'last'].map((name) => `${name}@example.com`);
  const send = sender(smtp.server);
  const statuses = [];
  for (const target of targets) {
    statuses.push((await send({ ...DELIVERY, target: `mailto:${target}` })).status);
  }
  assert.deepEqual(statuses, ['sent', 'sent', 'failed', 'sent']);
  assert.deepEqual(received, targets);
  assert.equal(connections.size, 3);
});

for (const [what, options, server, expected] of [
  [
    'smtp:// to a port without STARTTLS',
    { disabledCommands: ['STARTTLS'] },
    { requireTls: true },
    /^Port \d+ rejects STARTTLS, which smtp:\/\/ needs to other hosts.*smtps:\/\/.*smtp:\/\/localhost\. .*: 500 Error: command not recognized$/,
  ],
  [
    'smtp:// to a port with TLS from the start',
    { secure: true },
    { secure: false, requireTls: true },
    /^No response within 0\.5 seconds\. Port \d+ sends no greeting: if it has TLS from the start, write smtps:\/\/ instead of smtp:\/\//,
  ],
  [
    'smtps:// to a port with STARTTLS',
    {},
    { secure: true },
    /^Port \d+ has no TLS from the start, which smtps:\/\/ needs: write smtp:\/\/ instead/,
  ],
  [
    'smtps:// to a port without TLS',
    { disabledCommands: ['STARTTLS'] },
    { secure: true },
    /^Port \d+ has no TLS from the start, which smtps:\/\/ needs: write smtp:\/\/ instead/,
  ],
  [
    'smtps:// and a certificate that is not known',
    { secure: true },
    { secure: true },
    /^TLS failed at port \d+ \(smtps:\/\/\): .*certificate/,
  ],
  [
    'smtp:// and a certificate that is not known',
    {},
    { requireTls: true },
    /^TLS failed at port \d+ \(smtp:\/\/\): .*certificate/,
  ],
] as [string, SMTPServerOptions, Partial<typeof MAIL.server>, RegExp][]) {
  test(`${what}: the reason names TLS, port and scheme, and is temporary`, async () => {
    trust([]);
    await using smtp = await startSmtpServer(options);
    const outcome = await send({ ...smtp.server, ...server }, 500);
    assert.equal(outcome.status, 'failed');
    assert.match(outcome.reason, expected);
    assert.ok(outcome.reason.includes(`ort ${smtp.server.port} `), outcome.reason);
    assert.equal(outcome.permanent, false);
    assert.ok(outcome.reason.length < 290, `${outcome.reason.length} characters`);
  });
}

for (const [what, onConnection] of [
  ['closes the connection', (socket: Socket) => socket.end()],
  ['sends an alert', (socket: Socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 10]))],
] as const) {
  test(`smtp:// to a port that ${what} instead of a greeting may be one with TLS from the start`, async () => {
    await using server = await startSocketServer(onConnection);
    const outcome = await send({ port: server.port });
    assert.match(outcome.status === 'failed' ? outcome.reason : '', /sends no greeting: if it has TLS/);
  });
}

test('a server without EHLO has no STARTTLS either', async () => {
  await using server = await startSocketServer((socket) => {
    socket.write('220 old\r\n');
    socket.on('data', () => socket.write('502 what?\r\n'));
  });
  const outcome = await send({ port: server.port, requireTls: true });
  assert.equal(outcome.status, 'failed');
  assert.match(outcome.reason, /^Port \d+ rejects STARTTLS, which smtp:\/\/ needs/);
  assert.equal(outcome.permanent, false);
});

for (const secure of [true, false]) {
  test(`a certificate without a trusted signature is a temporary failure (${secure ? 'smtps' : 'STARTTLS'})`, async () => {
    trust([]);
    await using smtp = await startSmtpServer({ secure });
    const outcome = await send({ ...smtp.server, requireTls: !secure });
    assert.equal(outcome.status, 'failed');
    assert.match(outcome.reason, /certificate/);
    assert.deepEqual(
      [outcome.permanent, outcome.failure?.certain, outcome.failure?.lasting],
      [false, true, true],
    );
    assert.match(outcome.failure?.problem ?? '', /^The mail server 127\.0\.0\.1 offers no TLS/);
    assert.equal(smtp.mails.length, 0);
  });
}

test('a certificate of another host is a failure', async () => {
  trust([TLS_AUTHORITY]);
  await using smtp = await startSmtpServer({ secure: true });
  const outcome = await send({ ...smtp.server, host: '127.0.0.2' });
  assert.equal(outcome.status, 'failed');
  assert.equal(smtp.mails.length, 0);
});

test('a wrong password is a failure of the server, and its reason holds neither it nor an email address', async () => {
  trust([TLS_AUTHORITY]);
  await using smtp = await startSmtpServer({ onAuth, authOptional: false });
  const outcome = await send({
    ...smtp.server,
    host: 'localhost',
    requireTls: true,
    auth: { user: 'ada', pass: 'battery staple' },
  });
  assert.deepEqual(outcome, {
    status: 'failed',
    reason: '535 5.7.8 Wrong password … for (email)',
    permanent: false,
    failure: {
      problem: 'The mail server localhost does not accept the login: check user and password in SMTP_URL.',
      reply: 'login 535 5.7.8',
      lasting: true,
      certain: true,
    },
  });
});

for (const code of [450, 550, 552]) {
  test(`the response ${code} to a recipient or a text marks the address, and its reason holds no email address`, async () => {
    trust([TLS_AUTHORITY]);
    const error = rejection(code, '5.1.1 <owner@example.com> is not known here');
    const stages: SMTPServerOptions[] = [
      { onRcptTo: (_, __, callback) => callback(error) },
      {
        onData: (stream, _, callback) => {
          stream.resume().on('end', () => callback(error));
        },
      },
    ];
    for (const stage of stages) {
      await using smtp = await startSmtpServer(stage);
      assert.deepEqual(await send(smtp.server), {
        status: 'failed',
        reason: `${code} 5.1.1 <(email)> is not known here`,
        permanent: code >= 500,
        addressRejected: true,
      });
    }
  });
}

test('a server that drops the connection in the middle of DATA is a temporary failure', async () => {
  trust([TLS_AUTHORITY]);
  await using server = await startSocketServer((socket) => {
    socket.write('220 drops\r\n');
    socket.on('data', (data) => {
      if (String(data).startsWith('DATA')) return socket.write('354 go on\r\n', () => socket.destroy());
      return socket.write('250 fine\r\n');
    });
  });
  const outcome = await send({ port: server.port });
  assert.equal(outcome.status, 'failed');
  assert.deepEqual([outcome.permanent, outcome.failure?.certain], [false, false], JSON.stringify(outcome));
});

test('a server that never responds is a temporary failure when the time is over', async () => {
  await using server = await startSocketServer(() => {});
  const outcome = await send({ port: server.port }, 500);
  assert.deepEqual(outcome, {
    status: 'failed',
    reason:
      `No response within 0.5 seconds. Port ${server.port} sends no greeting: if it has TLS from the start, write smtps:// ` +
      'instead of smtp://, or the port for STARTTLS (usually 587).',
    permanent: false,
    failure: {
      problem: 'The mail server 127.0.0.1 cannot be reached.',
      reply: 'none',
      lasting: false,
      certain: true,
    },
  });
});

test('a server that responds a byte at a time is given up when the time is over', async () => {
  await using server = await startSocketServer((socket) => {
    socket.write('220-');
    const timer = setInterval(() => socket.write('x'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  const outcome = await send({ port: server.port }, 500);
  assert.equal(outcome.status === 'failed' && outcome.reason, 'No response within 0.5 seconds.');
});

test('a host that DNS does not know is a temporary failure, and its name is to be checked', async () => {
  // Rejected by the resolver itself.
  const outcome = await send({ host: 'mail..example', port: 25 });
  assert.equal(
    outcome.status === 'failed' && outcome.reason,
    'The mail server mail..example:25 has a name that DNS does not know (ENOTFOUND): check it in SMTP_URL.',
  );
});

test('a closed port is a temporary failure', async () => {
  const server = await startSocketServer(() => {});
  await server[Symbol.asyncDispose]();
  const outcome = await send({ port: server.port });
  assert.equal(outcome.status, 'failed');
  assert.equal(
    outcome.reason,
    `The mail server 127.0.0.1:${server.port} does not answer (ECONNREFUSED): check that it runs, and SMTP_URL.`,
  );
  assert.deepEqual(
    [outcome.permanent, outcome.failure?.certain, outcome.failure?.lasting],
    [false, true, false],
  );
});

test('a server that goes away after a mail cannot be reached', async () => {
  trust([]);
  const smtp = await startSmtpServer();
  const send = sender(smtp.server);
  assert.equal((await send(DELIVERY)).status, 'sent');
  await smtp[Symbol.asyncDispose]();
  const outcome = await send(DELIVERY);
  assert.match((outcome.status === 'failed' && outcome.failure?.problem) || '', / cannot be reached\.$/);
});

async function startSocketServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
