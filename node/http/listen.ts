/** Opens the server's port, with errors for the owner. */
import { createServer, type Server } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';

/** Checks the port before the long steps of a start, so that an error is reported at once. */
export async function assertPortFree(settings: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Returns the port, which the system chooses if the setting is 0.
 * @throws UserError with the fix
 */
export function listen(server: Server, { port, host }: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UserError(messageFor(error, port, host))),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function messageFor(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. It may be this product, already running. Stop that one, or choose another port, as with PORT=${port + 1}.`;
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Choose one from 1024 up with PORT.`;
    case 'EADDRNOTAVAIL':
      return `HOST is “${host}”, which is not an address of this machine. Try 127.0.0.1.`;
    default:
      return `The server cannot listen on ${host}, port ${port} (${error.code}).`;
  }
}
