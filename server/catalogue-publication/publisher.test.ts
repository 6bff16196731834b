import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { openHosted } from '../backend-client/project.ts';
import { OlderBuildError } from './publish-served.ts';
import { publisherOf } from './publisher.ts';

const PUBLICATION = { entries: [], hosts: [], language: 'en', build: 'one', settings: {} };

const bodies: Record<string, unknown>[] = [];
/** Calls for amounts that no reader has read. */
let readings = 0;
let code = 'PT409';
/** Sent with status 200, instead of the error. */
let wrong: string | undefined;
const server = createServer(async (request, response) => {
  if (request.url?.endsWith('/read_unread_amounts')) {
    readings += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    return;
  }
  bodies.push(JSON.parse(await text(request)));
  response
    .writeHead(wrong === undefined ? 409 : 200, { 'content-type': 'application/json' })
    .end(wrong ?? JSON.stringify({ code, message: 'No.' }));
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => {
  server.closeAllConnections();
  server.close();
});

test('the times of a build are published, and an older build is told apart from other errors', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publish = publisherOf(openHosted({ url, publishableKey: '', secretKey: 'sb_secret_x' }));
  const builtAt = '2026-01-01T00:00:00.000Z';
  const readAt = '2025-12-31T23:59:00.000Z';
  const settings = { replyWithin: '3 days' };
  await assert.rejects(publish({ ...PUBLICATION, builtAt, readAt, settings }, true), OlderBuildError);
  await assert.rejects(publish(PUBLICATION, false), /not published to http\S+: that of a newer build is/);
  assert.deepEqual(
    bodies.map(({ built_at, read_at, keep_previous, settings }) => [
      built_at,
      read_at,
      keep_previous,
      settings,
    ]),
    [
      [builtAt, readAt, true, settings],
      ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', false, {}],
    ],
  );
  code = '42883';
  await assert.rejects(
    publish(PUBLICATION, false),
    /^UserError: publish_listings failed on http\S+: No\. \(42883\)/,
  );
  for (wrong of ['<h1>Welcome to the hotel</h1>', '', 'null', '{"a":1}', '{"versi']) {
    await assert.rejects(
      publish(PUBLICATION, false),
      /^UserError: publish_listings .*(?:no JSON \(200\)|something else than it should)/,
    );
  }
  wrong = '7';
  await publish({ ...PUBLICATION, hosts: ['names.example'], builtAt }, true);
  assert.deepEqual([bodies.at(-1)?.hosts, bodies.at(-1)?.read_at, readings], [['names.example'], builtAt, 0]);
  await publish(PUBLICATION, false);
  assert.equal(readings, 1, 'amounts from before they were stored');
});
