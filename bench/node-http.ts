/** Starts a bare Node HTTP server with the page's responses in memory: the share of Node in our own times. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { PeerServer } from './peer-server.ts';

/** @param url the page, which is fetched once */
export async function startNodeHttp(url: string, core: string): Promise<PeerServer> {
  const child = spawn(
    'taskset',
    ['-c', core, resolve('node_modules/.bin/node'), 'bench/peers/node-http/server.ts', url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [port] = await once(child.stdout, 'data');
  return {
    port: Number(port),
    // taskset replaces itself with the command.
    pids: [child.pid ?? 0],
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
