/** The product sends nothing to anyone but what its owner configures: strace lists the connections of all its processes. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { getServers } from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BASE_ENV } from '../support/base-environment.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { makeOffer, openSession } from '../support/calls.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { copyOfProject, type Product, startProduct } from '../support/product.ts';
import { NODE, newFolder, waitUntil } from '../support/terminal.ts';

/** Stand for hosts that an owner configures: the mail server, and where the names of the catalogue lead. */
const [MAIL_SERVER, SITE] = ['127.0.0.25', '127.0.0.43'];
/** Nothing listens there. */
const PORT = 9;
const LOOPBACK = ['127.0.0.1', '::1'];

/** With -D the traced process stays the child of the one that starts it. */
const STRACE = ['strace', '-D', '-f', '-e', 'trace=connect'];

/** Containers may forbid it. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

test('start, build, offer, sign-in, backup and doctor connect to this machine and configured hosts only', {
  skip: !canTrace && 'strace is not installed, or may not trace',
}, async () => {
  const [project, folder] = [copyOfProject(), newFolder()];
  await using dns = await startDnsServer({ 'lap.app': { A: [SITE] } });
  const env = {
    SMTP_URL: `smtp://${MAIL_SERVER}:${PORT}`,
    MAIL_FROM: 'offers@lap.app',
    MAIL_TO: 'owner@lap.app',
    DATA_DIR: newDataFolder(folder),
  };
  const traceOf = (command: string) => readFileSync(join(folder, command), 'utf8');
  const traced = (command: string) => [...STRACE, '-o', join(folder, command)];
  /** strace writes the end of a process after it. */
  const traceEnds = (command: string, { pid }: ChildProcess) =>
    waitUntil(() => new RegExp(`^${pid} +\\+{3} exited`, 'm').test(traceOf(command)));
  const run = async (command: string, ...options: string[]) => {
    const [strace = '', ...args] = [...traced(command), NODE, '--disable-warning=ExperimentalWarning'];
    const child = spawn(strace, [...args, `node/commands/${command}.ts`, ...options], {
      cwd: project.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...BASE_ENV, ...env, PORT: String(port) },
    });
    await once(child, 'exit');
    await traceEnds(command, child);
  };
  let port = 0;
  let product: Product | undefined;
  try {
    await run('build');
    product = await startProduct({
      project: project.folder,
      dataDir: env.DATA_DIR,
      env,
      under: traced('start'),
    });
    ({ port } = product);
    await makeOffer(product);
    await openSession(product);
    await waitUntil(() => hostsIn(traceOf('start')).includes(MAIL_SERVER), product.log());
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
      ['start', [MAIL_SERVER]],
      ['backup', []],
      ['doctor', [SITE]],
    ],
  );
});

/** The IPs that a trace connects to. */
function hostsIn(trace: string): string[] {
  const ips = /sa_family=AF_INET.*?(?:inet_addr\(|inet_pton\(AF_INET6, )"(?:::ffff:)?([^"]+)"/g;
  return [...trace.matchAll(ips)].flatMap(([, ip]) => ip ?? []);
}
