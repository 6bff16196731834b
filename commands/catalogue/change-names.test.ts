import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalogue } from '../../src/catalogue/load.ts';
import { addNames, removeNames, setState } from './change-names.ts';

const TARGET = {
  catalogue: parseCatalogue(
    'names.yaml',
    `settings: { brokerUrl: "https://b.example/{domain}", hosts: [www.names.example] }
defaults: { price: ask, description: One., hasBroker: true }
domains: [{ name: one.example, state: sold }, { name: two.example }]
`,
  ),
};

test('names are added once each, in the form that the catalogue has', () => {
  const { changes, changed } = addNames(['New.Example.', 'bücher.example', 'new.example']);
  assert.deepEqual(changed, ['new.example', 'xn--bcher-kva.example']);
  assert.deepEqual(changes, { add: changed.map((name) => ({ name })) });
});

test('every name that cannot be added is reported', () => {
  assert.throws(
    () => addNames(['lap', 'x.app:80', ' ']),
    /^UserError: The name "lap" is not a domain name: .*\nThe name "x\.app:80" is not .*\nThe name is empty\.\nNothing/,
  );
});

test('names are removed', () => {
  assert.deepEqual(removeNames(['ONE.example', 'one.example'], TARGET).changes, {
    remove: new Set(['one.example']),
  });
  assert.throws(
    () => removeNames(['none.example'], TARGET),
    /none\.example is not in the catalogue\. Did you mean one\.example\?\nNothing/,
  );
});

test('states are set where they differ', () => {
  const { changes, changed, unchanged } = setState(['one.example', 'two.example'], 'sold', TARGET);
  assert.deepEqual([changed, unchanged], [['two.example'], ['one.example']]);
  assert.deepEqual(changes, { set: new Map([['two.example', { state: 'sold' }]]) });
  assert.deepEqual(setState(['one.example'], undefined, TARGET).changed, ['one.example']);
  assert.throws(
    () => setState(['one.example', 'none.app', 'gone.app'], 'reserved', TARGET),
    /^UserError: none\.app is not in the catalogue\.\ngone\.app is not in the catalogue\.\nNothing was written\.$/,
  );
});
