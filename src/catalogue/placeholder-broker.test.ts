import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalogue } from './load.ts';
import { placeholderBroker } from './placeholder-broker.ts';

const warningFor = (brokerUrl: string, hasBroker?: boolean) =>
  placeholderBroker(
    parseCatalogue(
      'test.json',
      JSON.stringify({
        settings: { brokerUrl },
        domains: [{ name: 'lap.app', price: '$1', description: 'Short.', hasBroker }],
      }),
    ),
  );

test('a placeholder of brokerUrl causes a warning where a name links to it', () => {
  for (const host of ['broker.example', 'example.com', 'www.example.org', 'a.test', 'broker.invalid']) {
    assert.match(
      warningFor(`https://${host}/domains/{domain}`, true) ?? '',
      /^brokerUrl leads to \S+, which is a placeholder: .* \(1 name has true\)\.$/,
      host,
    );
  }
  for (const hasBroker of [false, undefined])
    assert.equal(warningFor('https://broker.example/{domain}', hasBroker), undefined);
  for (const url of [
    'https://{domain}.broker.com/',
    'https://example.shop/{domain}',
    'https://myexample.com/{domain}',
  ]) {
    assert.equal(warningFor(url, true), undefined, url);
  }
});
