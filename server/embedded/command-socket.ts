/** The Unix socket by which the owner's commands reach the project while the product runs (socket-fetch.ts). */
import { once } from 'node:events';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { SOCKET, withShortFolder } from './socket-fetch.ts';

/**
 * Opens it in the place of one that a killed process left: for the process that has locked the data folder.
 * @param fetch of the project. Who reaches the socket can read the secret key; the key of a request only names a role.
 * @throws the system's error where the folder cannot hold a socket
 */
export async function openCommandSocket(
  fetch: typeof globalThis.fetch,
  dataDir: string,
): Promise<{
  /** Resolves once the requests in flight have their responses. */
  close(): Promise<void>;
}> {
  const server = createAdaptorServer({ fetch: (request) => fetch(request) }) as Server;
  await withShortFolder(dataDir, async (folder) => {
    // Renamed, so that the end of a server removes no later one's: it unlinks the path that it was bound to.
    const draft = join(folder, 'commands.draft');
    rmSync(draft, { force: true });
    server.listen(draft);
    await once(server, 'listening');
    chmodSync(draft, 0o600);
    renameSync(draft, join(folder, SOCKET));
  });
  return {
    close: async () => {
      rmSync(join(dataDir, SOCKET), { force: true });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
