/** Ends a server without losing requests that have arrived. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Time for requests in flight to finish when the server stops. */
const SHUTDOWN_TIMEOUT_MS = 2_500;
/** Time in which the request of a connection that was just accepted arrives. */
const ARRIVAL_TIMEOUT_MS = 50;

/** Closes the port and the idle connections, and waits for requests in flight. */
export async function closeServer(server: Server): Promise<void> {
  server.close();
  await whenClosed(server);
}

/** Makes each response from now on the last one of its connection: the next request opens a new connection. */
export function endConnections(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
}

/**
 * Closes a server whose socket another process holds open: connections that this one accepted are served, all others wait
 * for the next process that accepts.
 */
export async function handOverServer(server: Server): Promise<void> {
  // Unlike http.Server's own, this closes no connection whose request is still on its way.
  NetServer.prototype.close.call(server);
  setTimeout(() => server.closeIdleConnections(), ARRIVAL_TIMEOUT_MS);
  await whenClosed(server);
}

async function whenClosed(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
  await once(server, 'close');
  clearTimeout(timer);
}
