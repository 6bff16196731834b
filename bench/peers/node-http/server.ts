/**
 * A bare Node HTTP server that sends a page's responses, fetched once at the start.
 * Argument: the page's URL. Prints its port.
 */
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const [url = ''] = process.argv.slice(2);
const answers = new Map<string | undefined, { headers: string[]; body: Buffer }>();
for (const encoding of ['br', 'gzip', 'identity']) {
  const response = await new Promise<IncomingMessage>((done) =>
    get(url, { agent: false, headers: { 'accept-encoding': encoding } }, done),
  );
  const headers = Object.entries({ ...response.headers, connection: undefined, date: undefined })
    .filter(([, value]) => value !== undefined)
    .flat()
    .map(String);
  answers.set(encoding, { headers, body: await buffer(response) });
}

const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  const { headers = [], body } = answers.get(request.headers['accept-encoding'] as string) ?? {};
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
