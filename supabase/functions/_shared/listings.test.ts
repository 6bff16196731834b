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
  let whole = 0;
  let failure: Error | undefined;
  const callDatabase = checkResults(async (_name, { known, known_build }: Arguments<'read_listings'>) => {
    calls += 1;
    const found = published;
    await new Promise(setImmediate);
    if (failure) throw failure;
    const isKnown = found && found.version === known && (known_build ?? null) === found.build;
    if (isKnown) return { version: known };
    whole += 1;
    return found;
  });
  const listings = createListings(callDatabase, undefined);
  return {
    listings,
    calls: () => calls,
    /** How often the whole catalogue was sent. */
    whole: () => whole,
    publish: (next: Record<string, string>) => {
      published = { version: (published?.version ?? 0) + 1, ...SHARED, states: next };
    },
    /** A backup whose next publication has the version that is known. */
    restore: (next: Record<string, string>) => {
      published = { version: published?.version ?? 1, ...SHARED, build: 'restored', states: next };
    },
    fail: (error: Error | undefined) => {
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

test('the age of the catalogue counts from the start of its reading, not from its arrival', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let version = 0;
  const listings = createListings(
    checkResults(async () => {
      version += 1;
      const read = { version, ...SHARED, states: {} };
      now += 900;
      return read;
    }),
    undefined,
  );
  assert.equal((await listings.read()).version, 1);
  now = 999;
  assert.equal((await listings.read()).version, 1);
  now = 1_000;
  assert.equal((await listings.read()).version, 2);
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

test('the catalogue is at most a second old, older while the database is down, and sent once', async (t) => {
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const { listings, publish, fail, whole } = start();
  const names = async () => [...(await listings.read()).states.keys()];
  assert.deepEqual(await names(), ['lap.app']);
  publish({ 'new.example': 'for_sale' });
  now += 999;
  assert.deepEqual(await names(), ['lap.app']);
  now += 1;
  assert.deepEqual(await names(), ['new.example']);
  now += 1_000;
  assert.deepEqual(await names(), ['new.example']);
  assert.equal(whole(), 2, 'a version that is known is not sent again');
  publish({ 'lap.app': 'for_sale' });
  now += 1_000;
  fail(new Error('down'));
  assert.deepEqual(await names(), ['new.example']);
  fail(undefined);
  assert.deepEqual(await names(), ['lap.app']);
});

test('a call during another one reads anew after it, each time, also where that failed', async () => {
  const { listings, publish, fail } = start();
  const both = () => Promise.all([listings.stateOf('other.example'), listings.stateOf('new.example')]);
  assert.deepEqual(await both(), [undefined, undefined]);
  publish({ 'new.example': 'for_sale' });
  assert.deepEqual(await both(), [undefined, 'for_sale']);
  publish({ 'new.example': 'sold' });
  fail(new Error('down'));
  const failed = listings.stateOf('other.example').catch(() => fail(undefined));
  const after = listings.stateOf('third.example');
  await failed;
  assert.equal(await after, undefined);
  assert.equal(await listings.stateOf('new.example'), 'sold');
});

test('a known name and its host need no request, and pass while the database is down', async () => {
  const { listings, calls, fail } = start();
  await listings.read();
  const before = calls();
  assert.equal(await listings.stateOf('lap.app'), 'for_sale');
  assert.ok(await isOwn(listings, 'lap.app'));
  assert.equal(calls(), before);
  fail(new Error('down'));
  assert.equal(await listings.stateOf('lap.app'), 'for_sale');
  assert.ok(await isOwn(listings, 'lap.app'));
  await assert.rejects(listings.stateOf('other.example'), /down/);
});

test('nothing is rejected as unknown before the first publication', async () => {
  const { listings } = start(null);
  await assert.rejects(listings.stateOf('lap.app'), /no catalogue is published/);
});
