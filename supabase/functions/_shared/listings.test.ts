import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkResults } from './call-database.ts';
import type { Arguments } from './contract/calls.ts';
import { createListings, type Listings } from './listings.ts';

const SHARED = { hosts: ['names.example'], language: 'en', build: 'one' };

/** A database with a catalogue that tests replace. */
function start(states: Record<string, string> | null = { 'lap.app': 'for_sale' }) {
  let published = states && { version: 1, ...SHARED, states };
  let calls = 0;
  let failure: Error | undefined;
  const callDatabase = checkResults(async (_name, { known, known_build }: Arguments<'read_listings'>) => {
    calls += 1;
    const found = published;
    await new Promise(setImmediate);
    if (failure) throw failure;
    const isKnown = found && found.version === known && (known_build ?? null) === found.build;
    return isKnown ? { version: known } : found;
  });
  const listings = createListings(callDatabase, undefined);
  return {
    listings,
    calls: () => calls,
    publish: (next: Record<string, string>) => {
      published = { version: (published?.version ?? 0) + 1, ...SHARED, states: next };
    },
    /** A backup whose next publication has the version that is known. */
    restore: (next: Record<string, string>) => {
      published = { version: published?.version ?? 1, ...SHARED, build: 'restored', states: next };
    },
    fail: (error: Error) => {
      failure = error;
    },
  };
}

const isOwn = (listings: Listings, host: string) => listings.allows(({ names }) => names.has(host));

test('another catalogue with the version that is known is read', async () => {
  const { listings, restore } = start();
  assert.equal(await listings.stateOf('new.example'), undefined);
  restore({ 'new.example': 'for_sale' });
  assert.equal(await listings.stateOf('new.example'), 'for_sale');
});

test('a name that was just published is for sale at once', async () => {
  const { listings, publish } = start();
  assert.equal(await listings.stateOf('new.example'), undefined);
  publish({ 'lap.app': 'sold', 'new.example': 'for_sale' });
  assert.equal(await listings.stateOf('new.example'), 'for_sale');
  assert.equal(await listings.stateOf('lap.app'), 'sold');
  publish({ 'lap.app': 'for_sale' });
  assert.equal(await listings.stateOf('lap.app'), 'for_sale');
});

test('a host that was just published is own at once, and one that never was is not', async () => {
  const { listings, publish } = start();
  assert.ok(await isOwn(listings, 'lap.app'));
  assert.ok(!(await isOwn(listings, 'new.example')));
  publish({ 'new.example': 'sold' });
  assert.ok(await isOwn(listings, 'new.example'));
});

test('a flood of unknown names makes one request at a time', async () => {
  const { listings, calls } = start();
  await listings.read();
  const before = calls();
  await Promise.all(Array.from({ length: 500 }, (_, at) => listings.stateOf(`n${at}.example`)));
  assert.ok(calls() - before <= 2, `${calls() - before} requests`);
});

test('a known name needs no request, and passes while the database is down', async () => {
  const { listings, calls, fail } = start();
  await listings.read();
  const before = calls();
  assert.equal(await listings.stateOf('lap.app'), 'for_sale');
  assert.equal(calls(), before);
  fail(new Error('down'));
  assert.equal(await listings.stateOf('lap.app'), 'for_sale');
  await assert.rejects(listings.stateOf('other.example'), /down/);
});

test('nothing is rejected as unknown before the first publication', async () => {
  const { listings } = start(null);
  await assert.rejects(listings.stateOf('lap.app'), /no catalogue is published/);
});
