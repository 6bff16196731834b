import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { hasDefaultDescription } from './defaults.ts';
import { loadCatalogue } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'defaults-'));
after(() => rmSync(folder, { recursive: true }));

const DEFAULTS =
  'defaults: { price: make an offer, description: "{domain}, and {domain}.", hasBroker: true }';

const FIELDS = ['price', 'description', 'hasBroker', 'minimum', 'buyNow', 'instalments', 'checkout'];

test('an entry gets what it lacks from the defaults, with its own name', () => {
  const [bare, own] = load(DEFAULTS, [
    'name: xn--bcher-kva.example',
    'name: lap.app, price: $1, description: "No {domain}.", hasBroker: false',
  ]).domains;
  assert.deepEqual(bare, {
    name: 'xn--bcher-kva.example',
    price: 'make an offer',
    description: 'bücher.example, and bücher.example.',
    hasBroker: true,
  });
  assert.deepEqual(own, { name: 'lap.app', price: '$1', description: 'No {domain}.', hasBroker: false });
});

test('an entry without price and description has neither where the defaults have none', () => {
  assert.deepEqual(load('defaults: { price: $1 }', ['name: lap.app']).domains, [
    { name: 'lap.app', price: '$1' },
  ]);
  assert.deepEqual(load('defaults: { hasBroker: true }', ['name: lap.app']).domains, [
    { name: 'lap.app', hasBroker: true },
  ]);
});

test('a wrong default is reported once, at its own line', () => {
  const wrong = () =>
    load(
      `defaults: { ${FIELDS.map((field) => `${field}: ${field === 'description' ? '""' : 5}`).join(', ')} }`,
      ['name: a.app', 'name: b.app'],
    );
  assert.throws(wrong, (error: Error) => {
    const [, ...lines] = error.message.split('\n');
    assert.equal(lines.length, FIELDS.length, error.message);
    for (const [index, field] of FIELDS.entries()) {
      assert.match(lines[index] ?? '', new RegExp(`:2:\\d+ {2}section defaults, field ${field} is `));
    }
    return true;
  });
});

test('the defaults have no other fields, and cannot be empty', () => {
  assert.throws(
    () => load('defaults: { state: sold }', []),
    /section defaults, field state is not a known field/,
  );
  assert.throws(
    () => load('defaults:', []),
    /section defaults is missing: write price, description, hasBroker, minimum, buyNow, instalments or checkout below it/,
  );
});

test('a default description by language gets the name in each', () => {
  const defaults =
    'defaults: { price: $1, hasBroker: true, description: { en: "{domain} is yours.", de: "{domain} für Sie." } }';
  assert.deepEqual(load(defaults, ['name: lap.app']).domains[0]?.description, {
    en: 'lap.app is yours.',
    de: 'lap.app für Sie.',
  });
  const german = 'defaults: { price: $1, hasBroker: true, description: { de: "{domain} für Sie." } }';
  assert.throws(
    () => load(german, ['name: lap.app', 'name: own.app, description: { de: Kurz. }']),
    /:2:\d+ {2}section defaults, field description has no text in en.*\n.*entry 2 \(own\.app\), field description has no text in en/,
  );
});

test('the URLs of the defaults get the name of each entry that has none of its own', () => {
  const defaults =
    'defaults: { buyNow: "https://b.example/{domain}", instalments: "https://b.example/{domain}/6" }';
  const { domains } = load(defaults, [
    'name: xn--bcher-kva.example',
    'name: lap.app, buyNow: "https://own.example"',
  ]);
  assert.deepEqual(domains, [
    {
      name: 'xn--bcher-kva.example',
      buyNow: 'https://b.example/xn--bcher-kva.example',
      instalments: 'https://b.example/xn--bcher-kva.example/6',
    },
    { name: 'lap.app', buyNow: 'https://own.example', instalments: 'https://b.example/lap.app/6' },
  ]);
});

test('a link to buy has the price, and none has it where the price is not one amount', () => {
  const template =
    'https://b.example/{label}/{domain}?a={amount}&m={minor}&c={currency}&l={currency_lower}&a={amount}';
  const { domains } = load(`defaults: { buyNow: "${template}" }`, [
    'name: lap.co.uk, price: "$4,500.50"',
    'name: lap.app, price: "JPY 4,500"',
    'name: own.app, price: "5.000 BHD"',
    'name: none.app',
    'name: unclear.app, price: make an offer',
    'name: ask.app, price: ask, buyNow: "https://own.example/{label}"',
  ]);
  const of = (label: string, name: string, amount: string, minor: string, code: string) =>
    `https://b.example/${label}/${name}?a=${amount}&m=${minor}&c=${code}&l=${code.toLowerCase()}&a=${amount}`;
  assert.deepEqual(
    domains.map(({ buyNow }) => buyNow),
    [
      of('lap', 'lap.co.uk', '4500.50', '450050', 'USD'),
      of('lap', 'lap.app', '4500', '4500', 'JPY'),
      of('own', 'own.app', '5000', '5000000', 'BHD'),
      undefined,
      undefined,
      'https://own.example/ask',
    ],
  );
  const [crowns] = load(
    `defaults: { buyNow: "${template}" }`,
    ['name: lap.app, price: "4 500 kr"'],
    'currencies: { kr: SEK }',
  ).domains;
  assert.equal(crowns?.buyNow, of('lap', 'lap.app', '4500', '450000', 'SEK'));
  assert.ok(!domains.some((entry) => Object.hasOwn(entry, 'buyNow') && entry.buyNow === undefined));
  assert.throws(
    () => load('', ['name: lap.app, price: ask, buyNow: "https://b.example/{minor}"']),
    /entry 1 \(lap\.app\), field buyNow has \{minor\}, and the price is not one amount with its currency: write the price/,
  );
});

test('a description is that of the defaults also where the entry repeats it', () => {
  for (const [description, isDefault] of [
    [undefined, true],
    ['lap.app, and lap.app.', true],
    ['Another one.', false],
  ] as const) {
    const entry = `name: lap.app${description ? `, description: "${description}"` : ''}`;
    const { domains, defaults } = load(DEFAULTS, [entry]);
    assert.deepEqual(
      domains.map((domain) => hasDefaultDescription(domain, defaults)),
      [isDefault],
    );
  }
  const { domains, defaults } = load('defaults: { price: $1 }', ['name: lap.app, description: One.']);
  assert.deepEqual(
    domains.map((domain) => hasDefaultDescription(domain, defaults)),
    [false],
  );
});

function load(defaults: string, entries: string[], settings = 'brokerUrl: "https://b.example/{domain}"') {
  const file = join(folder, 'catalogue.yaml');
  const domains = entries.map((entry) => `  - { ${entry} }\n`).join('');
  writeFileSync(file, `settings: { ${settings} }\n${defaults}\ndomains:\n${domains}`);
  return loadCatalogue(file);
}
