/** Starts nginx and Caddy on free ports with the configurations of docs/deploy, for one running product. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { watchChild } from './watch-child.ts';

export interface WebServer {
  readonly name: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Everything it has logged. */
  log(): string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Returns Debian's packages that the tests need and this machine lacks. */
export function missingPackages(): string[] {
  return ['nginx', 'caddy'].filter((one) => spawnSync(one, ['-h'], { stdio: 'ignore' }).error);
}

/** With plain HTTP instead of certificates. @param node port of the Node server */
export async function startNginx(node: number): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const site = readFileSync('docs/deploy/nginx.conf', 'utf8')
    .replace(/server \{\n {2}listen 80 [\s\S]*?\n\}\n/, '')
    .replace(/ *listen \[::\].*\n/g, '')
    .replace('listen 443 ssl http2 default_server', `listen 127.0.0.1:${port}`)
    .replace(/ *ssl_certificate.*\n/g, '')
    .replace('127.0.0.1:4321', `127.0.0.1:${node}`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(
    configuration,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 256; }
http { access_log off; server_tokens off; ${places.join(' ')}
${site}
}
`,
  );
  return await started({ name: 'nginx', port, isTls: false }, folder, [
    ...['nginx', '-p', folder, '-c', configuration],
  ]);
}

/** The certificates are of Caddy's own authority, made on demand. @param node port of the Node server */
export async function startCaddy(node: number): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'));
  const [port, httpPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const site = readFileSync('docs/deploy/Caddyfile', 'utf8').replace(
    '{\n\ton_demand_tls',
    `{
	admin 127.0.0.1:${adminPort}
	http_port ${httpPort}
	https_port ${port}
	default_bind 127.0.0.1
	cert_issuer internal
	skip_install_trust
	storage file_system ${folder}/storage
	on_demand_tls`,
  );
  const configuration = join(folder, 'Caddyfile');
  writeFileSync(configuration, site);
  return await started(
    { name: 'Caddy', port, isTls: true },
    folder,
    ['caddy', 'run', '--config', configuration, '--adapter', 'caddyfile'],
    { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, STOREFRONT: `127.0.0.1:${node}` },
  );
}

async function started(
  server: Omit<WebServer, 'log' | 'stop'>,
  folder: string,
  [program = '', ...options]: string[],
  env: Record<string, string> = {},
): Promise<WebServer> {
  const child = spawn(program, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const { log, exited } = watchChild(child);
  await waitUntilListening(child, server.port, () => `${program} did not start:\n${log()}`);
  return {
    ...server,
    log,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(child: ChildProcess, port: number, explain: () => string): Promise<void> {
  for (
    const end = Date.now() + START_TIMEOUT_MS;
    Date.now() < end && child.exitCode === null;
    await later(50)
  ) {
    if (await isListening(port)) return;
  }
  child.kill('SIGKILL');
  throw new Error(explain());
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}
