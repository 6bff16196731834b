import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSiteProblems } from './health.ts';

const MISTAKES =
  'Please correct the catalogue:\n  own/catalogue.yaml:12:5  entry 2 (lap.app), field price is empty';
const { signal } = new AbortController();

const read = (response: Response) => readSiteProblems(signal, async () => response);

test('the reasons of catalogue and pages are read from the report of this server', async () => {
  const requests: unknown[] = [];
  const problems = await readSiteProblems(signal, async (input) => {
    requests.push(input);
    const reasons = { catalogue: MISTAKES, pages: 'Could not load.', messages: '535' };
    return Response.json({ status: 'degraded', pages: 'degraded', reasons }, { status: 503 });
  });
  assert.deepEqual(problems, { catalogue: MISTAKES, pages: 'Could not load.' });
  assert.deepEqual(requests, ['/health']);
});

test('a report without reasons names no problem', async () => {
  assert.deepEqual(await read(Response.json({ status: 'ok', reasons: {} })), {});
  assert.deepEqual(await read(Response.json({ status: 'degraded' }, { status: 503 })), {});
});

test('a server without a report is unavailable', async () => {
  assert.equal(await read(new Response('<!doctype html>', { status: 404 })), 'unavailable');
  assert.equal(await read(new Response('<!doctype html>')), 'unavailable');
  assert.equal(await read(Response.json({ up: true })), 'unavailable');
});

test('an error of a proxy is an error, so that the report is read again', async () => {
  await assert.rejects(read(new Response('<h1>Bad Gateway</h1>', { status: 502 })), /returned 502/);
});
