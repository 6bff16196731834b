/** Starts nginx with one worker, tuned for files compressed in advance. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/support/free-port.ts';

/** Debian's module, where it is installed. */
const BROTLI_MODULE = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';

/** Serves the files of a folder by their paths, all with the same headers. */
export async function startNginx(
  root: string,
  headers: readonly [name: string, value: string][],
  core: string,
): Promise<PeerServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, bareFiles(root, port, headers)));
  const child = spawn('taskset', ['-c', core, 'nginx', '-p', folder, '-c', file], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  await waitUntilReady(port, child);
  return {
    port,
    pids: childrenOf(child.pid ?? 0),
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(folder: string, blocks: string): string {
  return `
${hasBrotli() ? `load_module ${BROTLI_MODULE};` : ''}
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; etag on; server_tokens off;
  open_file_cache max=${maxOpenFiles()} inactive=600s; open_file_cache_valid 600s; open_file_cache_min_uses 1;
  client_body_temp_path ${folder}/1; proxy_temp_path ${folder}/2; fastcgi_temp_path ${folder}/3; uwsgi_temp_path ${folder}/4; scgi_temp_path ${folder}/5;
  ${blocks}
}
`;
}

/** Half of what a process may open: beyond its limit nginx responds with 500. */
function maxOpenFiles(): number {
  return Math.floor(Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) / 2);
}

/** Without the brotli module the configuration selects the file as it would. */
function hasBrotli(): boolean {
  return existsSync(BROTLI_MODULE);
}

function bareFiles(root: string, port: number, headers: readonly [string, string][]): string {
  const added = headers
    .map(([name, value]) => `add_header ${name} '${value.replaceAll("'", "\\'")}';`)
    .join(' ');
  const server = `types { text/html html br; } charset utf-8; listen 127.0.0.1:${port}; root ${root}; gzip_static on; ${added}`;
  if (hasBrotli()) return `server { ${server} brotli_static on; }`;
  return `
  map $http_accept_encoding $ending { default ''; ~br '.br'; }
  server { ${server}
    # A name: the map's own expression empties $1.
    location ~ ^(?<path>.*)/$ { rewrite ^ $path/index.html$ending last; }
    location ~ \\.br$ { gzip_static off; add_header content-encoding br; ${added} }
  }`;
}

async function waitUntilReady(port: number, child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) break;
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((later) => setTimeout(later, 50));
  }
  child.kill();
  throw new Error(`nginx did not start: ${output}`);
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

/** A server to compare with. */
export interface PeerServer {
  readonly port: number;
  /** Processes whose time is measured. */
  readonly pids: number[];
  stop(): Promise<void>;
}
