import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { SettingsSchema } from '../../src/catalogue/schema.ts';
import fc from '../../tests/support/fast-check.ts';
import { forSaleRecords } from './for-sale-records.ts';

const NO_BIND =
  spawnSync('named-checkzone', ['-v']).error !== undefined && 'BIND is not installed (Debian: bind9-utils)';

type Entry = Catalogue['domains'][number];
const ENTRY: Entry = {
  name: 'lap.app',
  price: '$15,000',
  description: 'Three letters, easy to say.',
  hasBroker: false,
};

/** The records of a catalogue with these entries. */
function recordsOf(entries: Partial<Entry>[], showPrice = 'never'): string[] {
  const settings = SettingsSchema.parse({ brokerUrl: 'https://broker.example/{domain}', showPrice });
  return forSaleRecords({ settings, domains: entries.map((entry) => ({ ...ENTRY, ...entry })) });
}

test('each domain for sale has a record with its URL and one with its description', () => {
  assert.deepEqual(recordsOf([{}, { name: 'xn--mnchen-3ya.example', description: 'A city.' }]), [
    '_for-sale.lap.app. 3600 IN TXT "v=FORSALE1;furi=https://lap.app/"',
    '_for-sale.lap.app. 3600 IN TXT "v=FORSALE1;ftxt=Three letters, easy to say."',
    '_for-sale.xn--mnchen-3ya.example. 3600 IN TXT "v=FORSALE1;furi=https://xn--mnchen-3ya.example/"',
    '_for-sale.xn--mnchen-3ya.example. 3600 IN TXT "v=FORSALE1;ftxt=A city."',
  ]);
});

test('a price is published only where visitors see it and it reads as an amount', () => {
  const values = (showPrice: string, price: string) =>
    recordsOf([{ price }], showPrice).flatMap((line) => /fval=[^"]+/.exec(line) ?? []);
  assert.deepEqual(values('page', '$15,000'), ['fval=USD15000']);
  assert.deepEqual(values('everywhere', '2.500,50 €'), ['fval=EUR2500.50']);
  assert.deepEqual(values('page', 'Make me smile'), []);
  assert.deepEqual(values('never', '$15,000'), []);
});

test('domains that are sold, reserved or below .arpa have no records', () => {
  const entries = [
    { state: 'sold' as const },
    { state: 'reserved' as const },
    { name: '2.0.192.in-addr.arpa' },
  ];
  assert.deepEqual(recordsOf(entries), []);
});

test('a name that is too long for a record has none, and a URL that is too long is left out', () => {
  assert.equal(nameOf(244).length, 244);
  assert.deepEqual(recordsOf([{ name: nameOf(244) }]), []);
  const tags = (length: number) =>
    recordsOf([{ name: nameOf(length) }]).map((line) => /f\w{3}(?==)/.exec(line)?.[0]);
  assert.deepEqual(tags(243), ['ftxt']);
  assert.deepEqual(tags(231), ['ftxt']);
  assert.deepEqual(tags(230), ['furi', 'ftxt']);
});

test('a description that is too long is cut after a word', () => {
  const textOf = (description: string) =>
    contentsOf(recordsOf([{ description }]))[1]?.slice('v=FORSALE1;ftxt='.length);
  assert.equal(textOf('a'.repeat(239)), 'a'.repeat(239));
  assert.equal(textOf('a'.repeat(240)), `${'a'.repeat(236)}…`);
  assert.equal(textOf('word '.repeat(60)), `${'word '.repeat(47)}…`.replace(' …', '…'));
  assert.equal(textOf('漢'.repeat(100)), `${'漢'.repeat(78)}…`);
  // A family of 25 octets: 9 of them, not a part of the tenth.
  assert.equal(textOf('👨‍👩‍👧‍👦'.repeat(20)), `${'👨‍👩‍👧‍👦'.repeat(9)}…`);
});

test('a description stays on one line and begins no other tag', () => {
  assert.deepEqual(
    contentsOf(recordsOf([{ description: 'One\r\n\ttwo\u2028three\u0000;fval=USD1; ftxt=x' }])).slice(1),
    ['v=FORSALE1;ftxt=One two three ,fval=USD1, ftxt=x'],
  );
});

test('named-checkzone loads the records of hostile descriptions unchanged', { skip: NO_BIND }, () => {
  const hostile = [
    'quotes " and \\ and \\" and "" and \\\\',
    'a ; comment ; of a zone file ;',
    '( unbalanced',
    ') $INCLUDE /etc/passwd',
    '@ \\000 \\255 \\"',
    'line\nbreak "\n_for-sale.evil.example. 60 IN TXT "v=FORSALE1;"',
    'ünï\u0301cödé 漢字 👨‍👩‍👧‍👦 \ud800 \ufffe \u202e',
    '\u0007\u007f\u0085',
    '"'.repeat(300),
    '\\'.repeat(239),
    'ends with ftxt=',
  ];
  const random = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), {
    numRuns: 200,
    seed: 1,
  });
  const entries = [...hostile, ...random].map((description, index) => ({
    name: `n${index}.example`,
    description,
  }));
  const lines = recordsOf([...entries, { name: nameOf(243) }], 'page');
  const loaded = loadInBind(lines);
  assert.equal(loaded.length, lines.length);
  assert.deepEqual(loaded.toSorted(), lines.map((line) => contentOf(line)).toSorted());
  assert.ok(
    loaded.some((one) => one === 'n0.example. v=FORSALE1;ftxt=quotes " and \\ and \\" and "" and \\\\'),
  );
  for (const one of loaded) {
    const content = one.slice(one.indexOf(' ') + 1);
    assert.match(content, /^v=FORSALE1;(?:furi=https:|ftxt=|fval=[A-Z]{3}\d)/);
    assert.doesNotMatch(content, /\p{Cc}/u);
    assert.ok(Buffer.byteLength(content) <= 255, content);
  }
});

/** A name with labels of 49 letters, of which the first is cut. */
function nameOf(length: number): string {
  return `${`.${'a'.repeat(49)}`
    .repeat(5)
    .slice(4 - length)
    .replace(/^\./, 'a')}.app`;
}

/** The texts of records, as a resolver returns them. */
function contentsOf(lines: readonly string[]): string[] {
  return lines.map((line) => contentOf(line).replace(/^\S+ /, ''));
}

/** `NAME TEXT` of a record in the format of zone files. */
function contentOf(line: string): string {
  const [, name = '', text = ''] =
    /^_for-sale\.(\S+)\s+3600\s+IN\s+TXT\s+"((?:[^"\\]|\\.)*)"$/.exec(line) ?? [];
  assert.notEqual(name, '', line);
  const octets = [...text.matchAll(/\\(\d{3})|\\?(.)/g)].map(([, code, character = '']) =>
    code === undefined ? character.charCodeAt(0) : Number(code),
  );
  return `${name} ${Buffer.from(octets)}`;
}

/** Loads records as a zone of the root, and returns them as BIND writes them. */
function loadInBind(lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'zone-'));
  try {
    const file = join(folder, 'root.zone');
    const authority = [
      '. 3600 IN SOA ns.test. admin.test. 1 3600 600 86400 3600',
      '. 3600 IN NS ns.test.',
      'ns.test. 3600 IN A 192.0.2.1',
    ];
    writeFileSync(file, [...authority, ...lines, ''].join('\n'));
    const { error, status, stdout, stderr } = spawnSync('named-checkzone', ['-D', '-o', '-', '.', file], {
      encoding: 'latin1',
    });
    if (error) throw error;
    assert.equal(status, 0, stdout + stderr);
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('_for-sale.'))
      .map(contentOf);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
