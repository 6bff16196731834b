import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from '../../../../tests/support/fast-check.ts';
import { checkoutValues, fillUrl, payLinkOf, payUrlOf } from './checkout.ts';

test('the smallest unit follows the decimals of the currency, and is none where a part of it is left', () => {
  for (const [amount, currency, minor] of [
    ['4500', 'USD', '450000'],
    ['4500.50', 'USD', '450050'],
    ['0.05', 'EUR', '5'],
    ['4500', 'JPY', '4500'],
    ['4500.00', 'JPY', '4500'],
    ['4500.50', 'JPY', undefined],
    ['4500.50', 'KWD', '4500500'],
    ['4500', 'CLP', '4500'],
  ] as const)
    assert.equal(checkoutValues('lap.app', { amount, currency }).minor, minor, `${amount} ${currency}`);
});

test('a URL has every value encoded, and is none without one that it needs', () => {
  const values = checkoutValues(
    'lap.co.uk',
    { amount: '4500.50', currency: 'USD' },
    {
      email: 'a+b&c=d@x.example',
      reference: 'LAP-7F3K',
    },
  );
  const all = '{domain}/{label}/{amount}/{minor}/{currency}/{currency_lower}/{email}/{reference}/{other}';
  assert.equal(
    fillUrl(`https://pay.example/${all}`, values),
    'https://pay.example/lap.co.uk/lap/4500.50/450050/USD/usd/a%2Bb%26c%3Dd%40x.example/LAP-7F3K/{other}',
  );
  const unknown = checkoutValues('lap.app', undefined);
  assert.equal(fillUrl('https://pay.example/{domain}', unknown), 'https://pay.example/lap.app');
  for (const name of ['amount', 'minor', 'currency', 'currency_lower', 'email', 'reference'])
    assert.equal(fillUrl(`https://pay.example/{${name}}/{domain}`, unknown), undefined, name);
  for (const template of ['https://{label}.example/pay', 'https://{label}@pay.example', '{domain}/pay'])
    assert.equal(fillUrl(template, values), undefined, template);
});

test('an amount that is not certain has no button, whatever its URL needs', () => {
  const link = 'https://pay.example/one';
  const unknown = checkoutValues('lap.app', undefined);
  for (const way of ['link', 'template'] as const) {
    assert.equal(payUrlOf(way, { link, template: link }, unknown), undefined, way);
    assert.equal(payUrlOf(way, { link, template: link }, { ...unknown, amount: '5' }), link);
  }
});

test('a way without a button has none, whatever else is stored', () => {
  const values = checkoutValues('lap.app', { amount: '5', currency: 'USD' });
  const template = 'https://pay.example/{amount}';
  for (const [way, stored] of [
    ['closing', { link: template, template }],
    [undefined, { link: template, template }],
    ['link', { template }],
    ['template', { link: template }],
    ['template', { template: 'http://pay.example/{amount}' }],
  ] as const)
    assert.equal(payUrlOf(way, stored, values), undefined, way);
});

test('the forms of the guide are filled in as their services read them', () => {
  const values = checkoutValues(
    'lap.app',
    { amount: '4500.50', currency: 'USD' },
    {
      email: 'a+b@x.example',
      reference: 'LAP-7F3K',
    },
  );
  const guide = readFileSync('docs/owners-guide.md', 'utf8');
  for (const [template, filled] of [
    [
      'https://buy.stripe.com/YOUR-LINK?__prefilled_amount={minor}&prefilled_email={email}&client_reference_id={reference}',
      'https://buy.stripe.com/YOUR-LINK?__prefilled_amount=450050&prefilled_email=a%2Bb%40x.example&client_reference_id=LAP-7F3K',
    ],
    [
      'https://wise.com/pay/me/YOUR-NAME?amount={amount}&currency={currency}',
      'https://wise.com/pay/me/YOUR-NAME?amount=4500.50&currency=USD',
    ],
  ] as const) {
    assert.ok(guide.includes(`\`${template}\``), template);
    assert.equal(payUrlOf('template', { template }, values), filled);
  }
});

test('no value of a buyer changes host, path or parameters of the owner’s template', () => {
  const template = 'https://pay.example/p/{email}?a={amount}&e={email}#{reference}';
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (typed) => {
      const email = `${typed.toWellFormed()}@x.example`;
      const values = checkoutValues('lap.app', { amount: '5', currency: 'USD' }, { email, reference: email });
      const link = payUrlOf('template', { template }, values);
      const url = new URL(link ?? '');
      assert.deepEqual([url.origin, url.pathname.split('/').length], ['https://pay.example', 3]);
      assert.deepEqual(
        [...url.searchParams],
        [
          ['a', '5'],
          ['e', email],
        ],
      );
    }),
    { examples: [['../..'], ['}{amount}'], ['@elsewhere.example/'], ['\u202e'], ['\\\\x']] },
  );
});

test('a link to pay shows its host, and leads nowhere else', () => {
  for (const [text, link] of [
    ['https://pay.example', 'https://pay.example/'],
    ['https://Pay.EXAMPLE:443/a?b={c}#d', 'https://pay.example/a?b={c}#d'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ])
    assert.equal(payLinkOf(text as string), link);
  for (const text of [
    ...['', 'pay.example', '//pay.example', 'http://pay.example', 'javascript:alert(1)', 'HTTPS:pay.example'],
    ...[
      'https:pay.example',
      'https:///pay.example',
      'https://a@pay.example',
      'https://a:b@pay.example',
      'https://@pay.example',
    ],
    ...[
      'https://pay.example\\@x.example',
      'https://pay.example/\\x',
      'https://pay.example/a b',
      'https://pay.example/\u202e',
    ],
    ...[
      'https://pay.example/\n',
      'https://pay\u200b.example/\u200b',
      'https://{amount}.pay.example',
      'https://pay.example:99999',
    ],
    `https://pay.example/${'x'.repeat(1_981)}`,
    `https://pay.example/${'ä'.repeat(400)}`,
  ])
    assert.equal(payLinkOf(text), undefined, text);
  assert.equal(payLinkOf(`https://pay.example/${'x'.repeat(1_980)}`)?.length, 2_000);
});
