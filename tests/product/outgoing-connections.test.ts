/** The product sends nothing to anyone but what its owner configures: strace lists the connections of its process and all threads. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { getServers } from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { BOT_CHECK_ACTION } from '#contract/bot-check.ts';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { BASE_ENV } from '../support/base-environment.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { callFunction, openSession } from '../support/calls.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { copyOfProject, type ProductProcess, startProductProcess } from '../support/product.ts';
import { NODE, newFolder, waitUntil } from '../support/terminal.ts';

/** Stand for hosts that an owner configures: mail server, webhook, Turnstile, and where the catalogue's names lead. */
const [MAIL_SERVER, WEBHOOK, TURNSTILE, SITE] = ['127.0.0.25', '127.0.0.26', '127.0.0.27', '127.0.0.43'];
/** Where the configured servers redirect to, which no setting names. `fetch` itself rejects some ports. */
const ELSEWHERE = 'http://127.0.0.66:8999/';
/** Nothing listens there. */
const PORT = 9;
const LOOPBACK = ['127.0.0.1', '::1'];

const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '$12,000',
  customer_name: 'Ada Lovelace',
  customer_email: 'ada@example.com',
};

/** With -D the traced process stays the child of the one that starts it. With --seccomp-bpf only these calls are stopped. */
const STRACE = ['strace', '-D', '-f', '--seccomp-bpf', '-e', 'trace=connect'];

/** Containers may forbid it. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** A build, a start and commands under strace may take over 60 s on a loaded machine. */
const TIMEOUT_MS = 180_000;

test('start, build, offer, sign-in, backup and doctor connect to this machine and configured hosts only', {
  skip: !canTrace && 'strace is not installed, or may not trace',
  timeout: TIMEOUT_MS,
}, async () => {
  const [project, folder] = [copyOfProject(), newFolder()];
  await using mailServer = await startSmtpServer({}, MAIL_SERVER);
  await using webhook = await startServer(WEBHOOK, (response) =>
    response.writeHead(307, { location: ELSEWHERE }).end(),
  );
  await using turnstile = await startServer(TURNSTILE, (response) => {
    const challenge_ts = new Date().toISOString();
    const verdict = { success: true, hostname: 'lap.app', action: BOT_CHECK_ACTION, challenge_ts };
    // A redirect is no verdict: the request is sent once more.
    if (turnstile.requests === 1) response.writeHead(307, { location: ELSEWHERE });
    response.end(JSON.stringify(verdict));
  });
  await using dns = await startDnsServer({ 'lap.app': { A: [SITE] } });
  const env = {
    SMTP_URL: `smtp://${MAIL_SERVER}:${mailServer.server.port}`,
    MAIL_FROM: 'offers@lap.app',
    MAIL_TO: 'owner@lap.app',
    MAIL_CONFIRM: 'yes',
    NOTIFY_URL: `${webhook.origin}/hook`,
    TURNSTILE_SITE_KEY: '0xsite',
    TURNSTILE_SECRET_KEY: '0xsecret',
    TURNSTILE_VERIFY_URL: `${turnstile.origin}/siteverify`,
    DATA_DIR: newDataFolder(folder),
  };
  const traceOf = (command: string) => readFileSync(join(folder, command), 'utf8');
  const traced = (command: string) => [...STRACE, '-o', join(folder, command)];
  /** strace writes the end of a process after it. */
  const traceEnds = (command: string, { pid }: ChildProcess) =>
    waitUntil(() => new RegExp(`^${pid} +\\+{3} exited`, 'm').test(traceOf(command)));
  const run = async (command: string, ...options: string[]) => {
    const [strace = '', ...args] = [...traced(command), NODE, '--disable-warning=ExperimentalWarning'];
    const child = spawn(strace, [...args, `commands/${command}.ts`, ...options], {
      cwd: project.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...BASE_ENV, ...env, PORT: String(port) },
    });
    await once(child, 'exit');
    await traceEnds(command, child);
  };
  let port = 0;
  let product: ProductProcess | undefined;
  try {
    await run('build');
    product = await startProductProcess({
      project: project.folder,
      dataDir: env.DATA_DIR,
      env,
      under: traced('start'),
    });
    ({ port } = product);
    const offer = { ...OFFER, turnstile_token: 'token of a visitor' };
    assert.equal((await callFunction(product, 'order-submit', offer)).status, 201);
    assert.equal(turnstile.requests, 2);
    await openSession(product);
    await waitUntil(() => mailServer.mails.length === 2 && webhook.requests > 0, product.log());
    await run('backup', join(folder, 'a.backup'));
    const ports = ['--https-port', String(PORT), '--http-port', String(PORT)];
    await run('doctor', '--resolver', dns.address, ...ports);
  } finally {
    await product?.stop();
    project.remove();
  }
  await traceEnds('start', product.process);

  const resolvers = getServers().map((server) => server.replace(/^\[|\]?:\d+$/g, ''));
  const own = new Set([...LOOPBACK, ...resolvers]);
  const others = (command: string) =>
    [...new Set(hostsIn(traceOf(command)))].filter((ip) => !own.has(ip)).sort();
  assert.deepEqual(
    ['build', 'start', 'backup', 'doctor'].map((command) => [command, others(command)]),
    [
      ['build', []],
      ['start', [MAIL_SERVER, WEBHOOK, TURNSTILE]],
      ['backup', []],
      ['doctor', [TURNSTILE, SITE]],
    ],
  );
});

/** A server on one loopback IP that responds to every request in the same way. */
async function startServer(host: string, respond: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    started.requests += 1;
    request.resume().once('end', () => respond(response));
  });
  await once(server.listen(0, host), 'listening');
  const started = {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    /** Number of requests so far. */
    requests: 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return started;
}

/** The IPs that a trace connects to. */
function hostsIn(trace: string): string[] {
  const ips = /sa_family=AF_INET.*?(?:inet_addr\(|inet_pton\(AF_INET6, )"(?:::ffff:)?([^"]+)"/g;
  return [...trace.matchAll(ips)].flatMap(([, ip]) => ip ?? []);
}
