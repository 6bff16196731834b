/**
 * Part of `npm run test:hosted`: the browser tests of storefront and dashboard, with the pages on one origin and the backend
 * on another, which adds CORS as the platform does. Tests that start a backend of their own are skipped: such a product builds
 * pages of its own origin. They are about other limits, exact numbers of offers and a restart, which the origin does not
 * change; that a list has more rows than one response of the data API is tried with the long list of the others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { startProduct } from '../support/product.ts';

const SPECS = ['everyday/storefront', 'everyday/dashboard', 'dashboard-list'].map(
  (name) => `tests/browser/${name}.spec.ts`,
);

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'authorization, x-client-info, apikey, content-type, prefer, range, accept-profile, content-profile, x-supabase-api-version',
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS',
  'access-control-expose-headers': 'content-range, content-location, location',
};

const backend = await startProduct();
const server = createServer((request, response) => {
  const isFunction = request.url?.startsWith('/functions/') ?? false;
  if (request.method === 'OPTIONS' && !isFunction) response.writeHead(204, CORS).end();
  else forward(request, response, isFunction ? {} : CORS);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
const child = spawn(
  resolve('node_modules/.bin/playwright'),
  ['test', ...SPECS, '--workers=1', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, HOSTED_PROJECT: JSON.stringify({ origin, dataDir: backend.dataDir }) },
  },
);
process.exitCode = await new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)));
server.closeAllConnections();
server.close();
if (process.exitCode !== 0) console.error(`The backend's log:\n${warningsOf(backend.log())}`);
await backend.stop();
// The usual tests find pages of their own backend again.
spawnSync(process.execPath, ['commands/build-if-needed.ts'], {
  stdio: 'inherit',
  env: { PATH: process.env.PATH, HOME: process.env.HOME },
});

function warningsOf(log: string): string {
  return log
    .split('\n')
    .filter((line) => !/"event":"(?:request|backend_message)"/.test(line))
    .join('\n');
}

/** Functions send CORS headers themselves. */
function forward(request: IncomingMessage, response: ServerResponse, cors: Record<string, string>): void {
  const { method, headers, url } = request;
  const sent = send(
    `${backend.origin}${url}`,
    { method, headers: { ...headers, host: `localhost:${backend.port}` } },
    (received) => {
      response.writeHead(received.statusCode ?? 502, { ...received.headers, ...cors });
      received.pipe(response);
    },
  );
  sent.on('error', () => response.destroy());
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}
