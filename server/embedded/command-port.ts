/**
 * The port by which the owner's commands reach the project while the product runs. It is open on loopback alone, which
 * other users of the machine and pages in the owner's browser reach too: without the secret key it gives a proof of
 * identity and nothing else.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { keysMatch } from '../../config/keys-match.ts';
import { CHALLENGE, proveIdentity } from './prove-identity.ts';

/**
 * @param port 0 lets the system choose
 * @throws the system's error when the port cannot be opened
 */
export async function openCommandPort(
  project: { readonly fetch: typeof fetch; readonly keys: { readonly secretKey: string } },
  port: number,
): Promise<{
  origin: string;
  /** Resolves once the requests in flight have their responses. */
  close(): Promise<void>;
}> {
  let origin = '';
  const server = serve({
    hostname: '127.0.0.1',
    port,
    fetch: (request) => handleRequest(request, origin, project),
  }) as Server;
  let inFlight = 0;
  let onIdle = () => {};
  server.on('request', (_, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
      if (inFlight === 0) onIdle();
    });
  });
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: async () => {
      server.close();
      if (inFlight > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      // Connections without a request, which every user of the machine can open, would be waited for.
      server.closeAllConnections();
    },
  };
}

async function handleRequest(
  request: Request,
  origin: string,
  { fetch, keys: { secretKey } }: Parameters<typeof openCommandPort>[0],
): Promise<Response> {
  const { headers, method } = request;
  const url = new URL(request.url);
  const challenge = url.searchParams.get('challenge') ?? '';
  if (method === 'GET' && url.pathname === '/control/ping' && CHALLENGE.test(challenge)) {
    return new Response(proveIdentity(secretKey, origin, challenge));
  }
  // The functions take requests from the server alone, which checks them first.
  if (!keysMatch(headers.get('apikey'), secretKey) || url.pathname.startsWith('/functions/')) {
    return Response.json({ message: 'Not found.' }, { status: 404 });
  }
  return await fetch(request);
}
