/**
 * The product behind a listening socket that another process holds, as under systemd: `systemd-socket-activate` opens the
 * socket, and a shell starts the product again whenever it ends.
 */
import { spawn, spawnSync } from 'node:child_process';
import { freePort } from './free-port.ts';
import { childrenOf } from './processes.ts';
import { isAlive, NODE, waitUntil } from './terminal.ts';

export interface HeldProduct {
  readonly port: number;
  /** The server's process; undefined before the first connection and between two processes. */
  pid(): number | undefined;
  /** Everything that all its processes have written. */
  log(): string;
  /** Ends the product for good. */
  stop(): Promise<void>;
}

/** Each process finds its own id in LISTEN_PID, as under systemd. */
const KEEP_RUNNING = `while :; do sh -c 'LISTEN_PID=$$ exec "$0" --disable-warning=ExperimentalWarning commands/start.ts' "$0"; done`;

export function canHoldSocket(): boolean {
  return spawnSync('systemd-socket-activate', ['--version']).status === 0;
}

/**
 * Opens the socket. The product starts at the first connection.
 * @param project the clone's folder, with a build
 */
export async function startHeldProduct(env: Record<string, string>, project = '.'): Promise<HeldProduct> {
  const port = await freePort();
  const holder = spawn(
    'systemd-socket-activate',
    [
      `--listen=127.0.0.1:${port}`,
      ...Object.entries({ HOME: process.env.HOME ?? '', ...env }).map(
        ([name, value]) => `--setenv=${name}=${value}`,
      ),
      ...['sh', '-c', KEEP_RUNNING, NODE],
    ],
    { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  for (const stream of [holder.stdout, holder.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const pid = () => (holder.pid === undefined ? undefined : childrenOf(holder.pid)[0]);
  await waitUntil(() => log.includes('Listening on'));
  return {
    port,
    pid,
    log: () => log,
    stop: async () => {
      const last = pid();
      holder.kill('SIGKILL');
      if (last === undefined) return;
      process.kill(last, 'SIGTERM');
      await waitUntil(() => !isAlive(last));
    },
  };
}
