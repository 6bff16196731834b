/** Opens the server's port, or says why it cannot be opened. */
import { createServer, type Server } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';

/** Asked before the long steps, so that a mistake is told at once. */
export async function mustBeFree(settings: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Answers the port, which the system chose where the setting is 0.
 * @throws UserError that says what to do
 */
export function listen(server: Server, { port, host }: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UserError(sentenceFor(error, port, host))),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function sentenceFor(error: NodeJS.ErrnoException, port: number, host: string): string {
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
