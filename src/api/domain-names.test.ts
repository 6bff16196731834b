import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchDescriptions, fetchDomainNames } from './domain-names.ts';

test('descriptions of other names are rejected, so that a build between two fetches mixes nothing', async ({
  mock,
}) => {
  const files: Record<string, string[]> = {
    '/domains/names.json': ['1a', 'lap.app', 'xn--mnchen-3ya.example münchen.example'],
    '/de/domains/descriptions.json?1a': ['1a', 'Kurz.', 'Lang.'],
    '/domains/descriptions.json?1a': ['2b', 'Of another name.', 'Of lap.app.'],
  };
  mock.method(globalThis, 'fetch', async (path: string) => Response.json(files[path]));
  const { hash, names } = await fetchDomainNames();
  assert.deepEqual(names, [
    { name: 'lap.app', shown: 'lap.app' },
    { name: 'xn--mnchen-3ya.example', shown: 'münchen.example' },
  ]);
  assert.deepEqual(await fetchDescriptions('/de', hash), ['Kurz.', 'Lang.']);
  await assert.rejects(fetchDescriptions('', hash), /names have changed/);
});
