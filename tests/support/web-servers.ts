/** Starts nginx and Caddy on free ports with the configurations of docs/deploy, for one running product. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { watchChild } from './watch-child.ts';

export interface WebServer {
  readonly name: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Everything it has logged. */
  log(): string;
  /** The command that reloads its configuration. */
  readonly reload: readonly string[];
  /** Environment of its processes. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

interface Upstream {
  /** Port of the Node server. */
  readonly port: number;
  /** The project's folder, with `dist` in it. */
  readonly project: string;
}

/** Of Debian's package libnginx-mod-http-brotli-static. */
const BROTLI_MODULE = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';
const START_TIMEOUT_MS = 20_000;

/** Returns Debian's packages that the tests need and this machine lacks. */
export function missingPackages(): string[] {
  const programs = ['nginx', 'caddy'].filter((one) => spawnSync(one, ['-h'], { stdio: 'ignore' }).error);
  return existsSync(BROTLI_MODULE) ? programs : [...programs, 'libnginx-mod-http-brotli-static'];
}

/** @param file in docs/deploy; its certificates are replaced by plain HTTP */
export async function startNginx(
  name: string,
  file: string,
  { port: node, project }: Upstream,
): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const site = deployed(file, project)
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
    `load_module ${BROTLI_MODULE};
daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 256; }
http { access_log off; server_tokens off; ${places.join(' ')}
${site}
}
`,
  );
  const options = ['-p', folder, '-c', configuration];
  return await started({ name, port, isTls: false, reload: ['nginx', ...options, '-s', 'reload'] }, folder, [
    'nginx',
    ...options,
  ]);
}

/** @param file in docs/deploy; the certificates are of Caddy's own authority, made on demand */
export async function startCaddy(
  name: string,
  file: string,
  { port: node, project }: Upstream,
): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'));
  const [port, httpPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const site = deployed(file, project).replace(
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
  const options = ['--config', configuration, '--adapter', 'caddyfile'];
  return await started(
    {
      name,
      port,
      isTls: true,
      reload: ['caddy', 'reload', ...options, '--address', `127.0.0.1:${adminPort}`],
    },
    folder,
    ['caddy', 'run', ...options],
    { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, STOREFRONT: `127.0.0.1:${node}` },
  );
}

function deployed(file: string, project: string): string {
  const folder = configure(project, ['true']);
  return readFileSync(join('docs/deploy', file), 'utf8').replaceAll('/etc/domain-storefront', folder);
}

/** Makes the configurations of a project's build and runs a command that reloads a web server. Returns their folder. */
export function configure(
  project: string,
  reload: readonly string[],
  env: NodeJS.ProcessEnv = { PATH: process.env.PATH },
): string {
  const folder = join(project, 'configurations');
  const { status, stderr } = spawnSync('sh', [resolve('docs/deploy/reload-web-server.sh'), ...reload], {
    cwd: project,
    encoding: 'utf8',
    env: { ...env, CONFIGURATION_FOLDER: folder },
  });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

async function started(
  server: Omit<WebServer, 'env' | 'log' | 'stop'>,
  folder: string,
  [program = '', ...options]: string[],
  env: Record<string, string> = {},
): Promise<WebServer> {
  const environment = { PATH: process.env.PATH, ...env };
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  const { log, exited } = watchChild(child);
  await waitUntilListening(child, server.port, () => `${program} did not start:\n${log()}`);
  return {
    ...server,
    env: environment,
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
