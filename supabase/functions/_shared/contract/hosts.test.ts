import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOfHost } from './hosts.ts';

test('a host stands for itself, for itself without www, and for both without localhost', () => {
  assert.deepEqual(namesOfHost('WWW.Lap.App.localhost:4321'), [
    'www.lap.app.localhost',
    'www.lap.app',
    'lap.app.localhost',
    'lap.app',
  ]);
  assert.deepEqual(namesOfHost('lap.app'), ['lap.app']);
  assert.deepEqual(namesOfHost('localhost:4321'), ['localhost']);
  assert.deepEqual(namesOfHost(''), ['']);
});
