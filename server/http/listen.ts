/** Opens the server's port, or takes the socket that systemd holds open, with errors for the owner. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isLoopback, type Settings } from '../../config/settings.ts';
import { UserError } from '../../process/user-error.ts';
import { limitedLog } from './limited-log.ts';

/** The first file descriptor that systemd passes, see sd_listen_fds(3). */
const PASSED_FD = 3;

/** Whether systemd passed a listening socket to this process: then connections wait there while the product restarts. */
export function isSocketPassed(): boolean {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  return LISTEN_PID === String(process.pid) && Number(LISTEN_FDS) >= 1;
}

/**
 * Checks the port before the long steps of a start, so that an error is reported at once.
 * @throws UserError also if systemd passed several sockets, since connections to all but the first one would wait for ever
 */
export async function assertPortFree(settings: Pick<Settings, 'port' | 'host'>): Promise<void> {
  if (isSocketPassed()) {
    const count = Number(process.env.LISTEN_FDS);
    if (count === 1) return;
    throw new UserError(
      `systemd passed ${count} sockets to this process, which takes one: the socket unit needs exactly one ListenStream=.`,
    );
  }
  const probe = createServer();
  await listen(probe, settings);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Returns the port, which the system chooses if the setting is 0.
 * @throws UserError with the fix
 */
export async function listen(
  server: Server,
  { port, host }: Pick<Settings, 'port' | 'host'>,
  console?: Console,
): Promise<number> {
  const isPassed = isSocketPassed();
  try {
    await once(server.listen(isPassed ? { fd: PASSED_FD } : { port, host }), 'listening');
  } catch (error) {
    throw new UserError(isPassed ? NO_TCP_SOCKET : messageFor(error as NodeJS.ErrnoException, port, host));
  }
  const opened = server.address();
  // A Unix socket has a path. Its connections have no IP, so that all visitors would count as one.
  if (opened === null || typeof opened === 'string') throw new UserError(NO_TCP_SOCKET);
  // Limits are looser where only this machine can connect.
  if (isLoopback(host) && !isLoopback(opened.address)) {
    throw new UserError(
      `The socket of systemd listens on ${opened.address}, but HOST is “${host}”. ` +
        `Set HOST=${opened.address}, or ListenStream= in the socket unit to ${host}.`,
    );
  }
  // Such as too many open files when a connection is accepted; an error without a listener would end the process.
  const log = limitedLog(console);
  server.on('error', ({ message }) => log(`A connection failed: ${message}`));
  return opened.port;
}

const NO_TCP_SOCKET =
  'systemd passed no listening TCP socket to this process. The socket unit needs an IP and a port, such as ' +
  'ListenStream=127.0.0.1:4321, and no Accept=yes.';

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
