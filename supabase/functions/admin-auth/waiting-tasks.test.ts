import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWaitingTasks } from './waiting-tasks.ts';

function start(...sources: string[]) {
  const waiting = createWaitingTasks<string>();
  const add = (source: string) => waiting.add(source.split(' '), `${source} #${waiting.size}`);
  sources.forEach(add);
  const displace = (source: string) => waiting.displace(source.split(' '));
  const order = () => Array.from({ length: waiting.size }, () => waiting.next());
  return { waiting, add, displace, order };
}

test('networks take turns, then the ips in each of them, however many tasks they have', () => {
  const { waiting, order } = start('a 1', 'a 1', 'a 2', 'a 2', 'b 1', 'b 1', 'c 1');
  assert.deepEqual(order(), ['a 1 #0', 'b 1 #4', 'c 1 #6', 'a 2 #2', 'b 1 #5', 'a 1 #1', 'a 2 #3']);
  assert.equal(waiting.next(), undefined);
  assert.equal(waiting.size, 0);
});

test('a network that comes again waits behind those that had no turn yet', () => {
  const { waiting, add, order } = start('a 1', 'b 1', 'c 1');
  assert.equal(waiting.next(), 'a 1 #0');
  add('a 1');
  assert.deepEqual(order(), ['b 1 #1', 'c 1 #2', 'a 1 #2']);
});

test('a new network displaces the newest task of the most crowded ip of the most crowded network', () => {
  const { waiting, displace, order } = start('a 1', 'b 1', 'b 2', 'b 2', 'c 1');
  assert.equal(displace('d 1'), 'b 2 #3');
  assert.equal(waiting.size, 4);
  assert.deepEqual(order(), ['a 1 #0', 'b 1 #1', 'c 1 #4', 'b 2 #2']);
});

test('no network displaces a task to be as crowded as the one that loses it', () => {
  const { waiting, displace } = start('a 1', 'b 1', 'b 2');
  assert.equal(displace('a 2'), undefined);
  assert.equal(displace('b 3'), undefined);
  assert.equal(displace('c 1'), 'b 2 #2');
  assert.equal(displace('d 1'), undefined);
  assert.equal(waiting.size, 2);
});

test('a visitor whose network is crowded displaces a task of a more crowded ip in it', () => {
  const { waiting, displace, order } = start('a 1', 'a 1', 'a 1', 'b 1');
  assert.equal(displace('a 2'), 'a 1 #2');
  assert.equal(waiting.size, 3);
  assert.deepEqual(order(), ['a 1 #0', 'b 1 #3', 'a 1 #1']);
});
