import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchDescriptions, fetchDomainNames } from './domain-names.ts';

test('descriptions of other names are rejected, so that a build between two fetches mixes nothing', async ({
  mock,
}) => {
  const files: Record<string, unknown> = {
    '/domains/names.json': ['1a', 'lap.app', 'xn--mnchen-3ya.example münchen.example'],
    '/de/domains/descriptions.json?1a': ['1a', { text: 'Kurz.', price: '$1' }, 'Lang.'],
    '/domains/descriptions.json?1a': ['2b', 'Of another name.', 'Of lap.app.'],
  };
  mock.method(globalThis, 'fetch', async (path: string) => Response.json(files[path]));
  const { hash, names } = await fetchDomainNames();
  assert.deepEqual(names, [
    { name: 'lap.app', shown: 'lap.app' },
    { name: 'xn--mnchen-3ya.example', shown: 'münchen.example' },
  ]);
  assert.deepEqual(await fetchDescriptions('/de', hash), [{ text: 'Kurz.', price: '$1' }, { text: 'Lang.' }]);
  await assert.rejects(fetchDescriptions('', hash), /names have changed/);
});

test('a list that is not one of texts is rejected', async ({ mock }) => {
  for (const list of [null, {}, 'no', ['1a', null], ['1a', 1], ['1a', { text: 1 }], ['1a', {}]]) {
    mock.method(globalThis, 'fetch', async () => Response.json(list));
    await assert.rejects(fetchDescriptions('', '1a'), JSON.stringify(list));
    await assert.rejects(fetchDomainNames(), JSON.stringify(list));
  }
});
