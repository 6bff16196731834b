import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalogue } from './load.ts';
import { missingLinks } from './missing-links.ts';

const warningFor = (settings: string) =>
  missingLinks(
    parseCatalogue(
      'test.yaml',
      `settings: { brokerUrl: "https://broker.example/{domain}", ${settings} }
domains: [{ name: lap.app, price: "1", description: Short., hasBroker: true }]`,
    ),
  );
const LINKS = 'links: [{ text: Impressum, url: "https://lap.app/imprint" }]';

test('German pages without links cause a warning, others do not', () => {
  assert.match(warningFor('languages: [en, de]') ?? '', /^the pages are .*imprint.*privacy.*field links/s);
  assert.match(warningFor('languages: [de], links: []') ?? '', /imprint/);
  assert.equal(warningFor('languages: [en]'), undefined);
  assert.equal(warningFor(`languages: [de], ${LINKS}`), undefined);
});
