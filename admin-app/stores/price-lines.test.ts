import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesOf } from './names.fixture.ts';
import { parsePriceLines, priceSteps } from './price-lines.ts';

for (const [line, name, price, minimum] of [
  ['mosaicbank.com $42,000 $28,000', 'mosaicbank.com', '$42,000', '$28,000'],
  ['tidepool.app $6,900', 'tidepool.app', '$6,900', undefined],
  ['lap.app\t4.500 €\t25%', 'lap.app', '4.500 €', '25%'],
  ['lap.app $5,000 12.5 %', 'lap.app', '$5,000', '12.5 %'],
  ['LAP.app: USD 4500', 'lap.app', 'USD 4500', undefined],
  ['lap.app, USD 4 500', 'lap.app', 'USD 4 500', undefined],
  ['lap.app;€4,500;€2,000', 'lap.app', '€4,500', '€2,000'],
  ['münchen.example $7', 'xn--mnchen-3ya.example', '$7', undefined],
  ['lap.app make an offer', 'lap.app', undefined, undefined],
  ['lap.app 4500', 'lap.app', undefined, undefined],
  ['lap.app $4,500 or so', 'lap.app', undefined, undefined],
  ['lap.app about $4,500 $2,000', 'lap.app', undefined, undefined],
  ['lap.app', 'lap.app', undefined, undefined],
  ['; $4,500', '', undefined, undefined],
] as const)
  test(`the line ${JSON.stringify(line)} is read`, () => {
    assert.deepEqual(parsePriceLines(`\n  ${line}  \n\n`), [{ name, price, minimum }]);
  });

test('each line says what it does', () => {
  const values = new Map([
    ['mosaicbank.com', valuesOf('$48,000')],
    ['tidepool.app', valuesOf('$7,500')],
    ['same.app', valuesOf('$1')],
    ['none.app', valuesOf(null)],
    ['euro.app', valuesOf('€1,000')],
    ['ten.app', valuesOf('$100')],
    ['words.app', valuesOf('$5')],
  ]);
  const lines = parsePriceLines(
    [
      'mosaicbank.com $42,000 $28,000',
      'tidepool.app $9,000',
      'tidepool.app $1',
      'same.app $1',
      'none.app $5',
      'euro.app $5',
      'euro.app',
      'ten.app $1,000',
      'words.app make an offer',
      'lanternwork.com $5,900',
      'elsewhere.example $5',
    ].join('\n'),
  );
  const steps = priceSteps(lines, values, ['lanternworks.com', 'lap.app']);
  assert.deepEqual(
    steps.map((step) => {
      if (step.status === 'unknown') return [step.status, step.similar];
      if (step.status === 'unreadable') return [step.status, step.name];
      return step.status === 'set' ? [step.from, step.to, step.percent, step.changes.length] : [step.status];
    }),
    [
      ['$48,000', '$42,000', -13, 2],
      ['$7,500', '$9,000', 20, 1],
      ['repeated'],
      ['unchanged'],
      [null, '$5', undefined, 1],
      ['€1,000', '$5', undefined, 1],
      ['repeated'],
      ['$100', '$1,000', 900, 1],
      ['unreadable', 'words.app'],
      ['unknown', 'lanternworks.com'],
      ['unknown', undefined],
    ],
  );
});

test('a price and a minimum are two changes of one name', () => {
  const [step] = priceSteps(
    parsePriceLines('lap.app $4,200 25%'),
    new Map([['lap.app', valuesOf('$4,500')]]),
    [],
  );
  assert.ok(step?.status === 'set');
  assert.deepEqual(step.price, { amount: '4200', currency: 'USD' });
  assert.deepEqual(step.changes, [
    { name: 'lap.app', field: 'price', from: '$4,500', to: '$4,200' },
    { name: 'lap.app', field: 'minimum', from: null, to: '25%' },
  ]);
});

for (const [typed, similar] of [
  // A letter left out, added and replaced.
  ['lap.ap', 'lap.app'],
  ['lapp.app', 'lap.app'],
  ['lat.app', 'lap.app'],
  // Two slips are too many below eight letters.
  ['lpa.app', undefined],
  ['lapp.aap', 'lap.app'],
  ['mosiac.app', 'mosaic.app'],
  ['xmosaic.ap', 'mosaic.app'],
  ['mosiac.ap', undefined],
  ['saic.appxy', undefined],
  ['quil.app', 'quill.app'],
  // One slip from the third known name, two from the second.
  ['quilts.app', 'quilt.app'],
] as const)
  test(`${typed}, which is unknown, ${similar ? `may be ${similar}` : 'is like no other name'}`, () => {
    const known = ['mosaic.app', 'quill.app', 'quilt.app', 'lap.app'];
    assert.deepEqual(priceSteps(parsePriceLines(`${typed} $5`), new Map(), known), [
      { status: 'unknown', name: typed, similar },
    ]);
  });

test('a line without a minimum leaves the one that the name has', () => {
  const minimum = { value: '$5', is_default: false };
  const values = new Map([['lap.app', valuesOf('$9', { minimum })]]);
  const stepsOf = (line: string) => priceSteps(parsePriceLines(line), values, []);
  const [step] = stepsOf('lap.app $8');
  assert.ok(step?.status === 'set');
  assert.deepEqual(step.changes, [{ name: 'lap.app', field: 'price', from: '$9', to: '$8' }]);
  assert.equal(stepsOf('lap.app $9')[0]?.status, 'unchanged');
});

test('a price that comes from the section defaults is replaced by an own one', () => {
  const shown = { value: '$9', is_default: true };
  const values = new Map([['lap.app', valuesOf(null, { price: shown })]]);
  const [step] = priceSteps(parsePriceLines('lap.app $8'), values, []);
  assert.ok(step?.status === 'set');
  assert.deepEqual(
    [step.from, step.changes],
    ['$9', [{ name: 'lap.app', field: 'price', from: null, to: '$8' }]],
  );
});
