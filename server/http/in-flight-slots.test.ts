import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots, MOST_OF_PUBLIC } from './in-flight-slots.ts';

/** How many of `addresses` get a slot, in turn. */
function taken(total: number, addresses: (string | undefined)[]): number {
  const slots = createSlots(total);
  return addresses.filter((ip) => slots.acquire(ip) !== undefined).length;
}

const times = (count: number, ip: (at: number) => string | undefined) =>
  Array.from({ length: count }, (_, at) => ip(at));

test('one IP gets 25 % of the slots, and so do all unknown ones', () => {
  assert.equal(
    taken(
      100,
      times(100, () => '192.0.2.1'),
    ),
    25,
  );
  assert.equal(
    taken(
      100,
      times(100, () => undefined),
    ),
    25,
  );
  assert.equal(
    taken(
      100,
      times(100, () => '2001:db8::1'),
    ),
    25,
  );
});

test('IPs of one /64 count as one, and a /48 gets 50 %', () => {
  const hex = (at: number) => at.toString(16).padStart(2, '0');
  assert.equal(
    taken(
      100,
      times(100, (at) => `2001:db8:0:1::${hex(at)}`),
    ),
    25,
  );
  assert.equal(
    taken(
      100,
      times(100, (at) => `2001:db8:0:${hex(at)}00::1`),
    ),
    50,
  );
  assert.equal(
    taken(
      100,
      times(100, (at) => `2001:db8:${hex(at)}::1`),
    ),
    100,
  );
});

test('the IPs of an IPv4 /24 get 50 %', () => {
  assert.equal(
    taken(
      100,
      times(100, (at) => `192.0.2.${at}`),
    ),
    50,
  );
});

test('an IP and a network get no more than their own limits', () => {
  const slots = createSlots(512, MOST_OF_PUBLIC);
  const takenBy = (ips: string[]) => ips.filter((ip) => slots.acquire(ip) !== undefined).length;
  assert.equal(takenBy(Array<string>(20).fill('192.0.2.1')), 8);
  assert.equal(takenBy(Array.from({ length: 20 }, (_, at) => `192.0.2.${at + 2}`)), 4);
  for (let network = 0; network < 40; network += 1) {
    takenBy(Array.from({ length: 20 }, (_, at) => `10.0.${network}.${at}`));
  }
  assert.ok(slots.acquire('198.51.100.1'), '40 networks leave room');
});

test('all IPs together get no more than the total', () => {
  assert.equal(
    taken(
      10,
      times(100, (at) => `10.0.${at}.1`),
    ),
    10,
  );
});

test('a released slot is free to its IP, and releasing it twice frees no other', () => {
  const slots = createSlots(8);
  const [first, second] = [slots.acquire('192.0.2.1'), slots.acquire('192.0.2.1')];
  assert.equal(slots.acquire('192.0.2.1'), undefined);
  for (const release of [first, first]) release?.();
  assert.ok(slots.acquire('192.0.2.1'));
  assert.equal(slots.acquire('192.0.2.1'), undefined);
  second?.();
  assert.ok(slots.acquire('192.0.2.1'));
});

test('a released slot is free to others, and releasing it twice frees no other', () => {
  const slots = createSlots(2);
  for (let time = 0; time < 5; time += 1) slots.acquire('192.0.2.1')?.();
  const release = slots.acquire('192.0.2.1');
  assert.ok(slots.acquire('198.51.100.1'));
  assert.equal(slots.acquire('203.0.113.1'), undefined);
  for (let time = 0; time < 2; time += 1) release?.();
  assert.ok(slots.acquire('203.0.113.1'));
  assert.equal(slots.acquire('10.0.0.1'), undefined);
});

test('the IPs of this machine have limits of their own', () => {
  const slots = createSlots(512, MOST_OF_PUBLIC, {});
  const takenBy = (ip: string) => times(200, () => ip).filter((one) => slots.acquire(one)).length;
  assert.deepEqual(['192.0.2.1', '127.0.0.1', '::1'].map(takenBy), [8, 128, 128]);
});

test('all spellings of an IPv6 address count as one', () => {
  const slots = createSlots(4);
  assert.ok(slots.acquire('2001:db8:0:0:1::1'));
  assert.equal(slots.acquire('2001:0DB8::1:0:0:1'), undefined);
});
