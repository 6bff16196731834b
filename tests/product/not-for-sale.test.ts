/** What a build publishes of sold domains and of prices that visitors do not see. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { BASE_ENV } from '../support/base-environment.ts';
import { copyOfProject } from '../support/product.ts';

/** Digits that occur in no other file of a build. */
const HIDDEN_PRICE = '$73,519,264';

/** One more for sale than a page shows when one is not: only then a build reuses pages. */
const COUNT = 26;

describe('a large catalogue', () => {
  const project = copyOfProject();
  after(() => project.remove());
  /** Files of the first build, which renders every page. */
  let whole: Map<string, Buffer>;

  test('no file of the site contains a price with showPrice: never', () => {
    build(COUNT, { 3: 'sold' });
    whole = files();
    const holding = [...files()].filter(([, content]) => /73[.,]?519/.test(content.toString('latin1')));
    assert.deepEqual(
      holding.map(([file]) => file),
      [],
    );
    assert.match(textOf('/sites/name4.app/index.html'), /name4\.app is for sale/);
  });

  test('a domain that is for sale again returns to all lists', () => {
    build(COUNT, { 4: 'reserved' });
    assert.match(textOf('/sites/name3.app/index.html'), /<title>name3\.app is for sale: make an offer/);
    assert.match(textOf('/sites/name2.app/index.html'), /value="name3\.app"/);
    assert.match(textOf('/sites/name4.app/index.html'), /<title>name4\.app is reserved<\/title>/);
    assert.ok(files().has('/share/name3.app.png'));
  });

  test('a domain that was sold leaves all lists, with the output of a full build', () => {
    build(COUNT, { 3: 'sold' });
    const changed = files();
    assert.deepEqual([...changed.keys()], [...whole.keys()]);
    for (const [file, content] of whole) assert.ok(changed.get(file)?.equals(content), file);

    const showing = [...whole].filter(([, content]) => content.includes('name3.app')).map(([file]) => file);
    assert.deepEqual(showing, ['/sites/name3.app/index.html']);
    const page = textOf('/sites/name3.app/index.html');
    assert.match(page, /<title>name3\.app has been sold<\/title>/);
    assert.equal(page.match(/href="\/sites\/name\d+\.app\/"/g)?.length, 6);
    assert.match(page, /href="\/domains\/"/);
    const [hash, ...names] = JSON.parse(textOf('/domains/names.json'));
    assert.equal(names.length, COUNT - 1);
    const [theirs, ...descriptions] = JSON.parse(textOf('/domains/descriptions.json'));
    assert.deepEqual([theirs, descriptions.length], [hash, COUNT - 1]);
    assert.match(textOf('/domains/index.html'), /Search 25 domains/);
  });

  test('with 24 domains for sale, every page shows them all and there are no pages of domains', () => {
    build(25, { 24: 'sold' });
    assert.equal(textOf('/index.html').match(/<input type="radio"/g)?.length, 24);
    assert.equal(textOf('/sites/name24.app/index.html').match(/href="\/sites\/name\d+\.app\/"/g)?.length, 24);
    assert.deepEqual(
      [...files().keys()].filter((file) => file.startsWith('/domains')),
      [],
    );
  });

  test('with no domain for sale, the pages have a notice and no form', () => {
    build(2, { 0: 'sold', 1: 'reserved' });
    const page = textOf('/index.html');
    assert.match(page, /<h1>No domains for sale at present<\/h1>/);
    assert.match(page, /<title>No domains for sale at present<\/title>/);
    assert.doesNotMatch(page, /<(?:form|script|input|astro-island)/);
    const sold = textOf('/sites/name0.app/index.html');
    assert.doesNotMatch(sold, /<form|Other domains|other domains/);
    assert.equal(sold.match(/<a /g)?.length, 1, 'the header’s link home alone');
  });

  function build(count: number, states: Record<number, string> = {}): void {
    const domains = Array.from({ length: count }, (_, n) => ({
      name: `name${n}.app`,
      price: HIDDEN_PRICE,
      description: `The name number ${n}.`,
      hasBroker: true,
      ...(states[n] && { state: states[n] }),
    }));
    const settings = { brokerUrl: 'https://broker.example/{domain}' };
    // JSON is YAML.
    writeFileSync(join(project.folder, 'src/content/catalogue.yaml'), JSON.stringify({ settings, domains }));
    const { status, stderr } = spawnSync(resolve('node_modules/.bin/node'), ['node/commands/build.ts'], {
      cwd: project.folder,
      encoding: 'utf8',
      env: BASE_ENV,
    });
    assert.equal(status, 0, stderr);
  }

  /** Every file of the site by its path, but the compressed forms. */
  function files(): Map<string, Buffer> {
    const root = join(project.folder, 'dist/client');
    const all = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    return new Map(all.map((file) => [file.slice(root.length), readFileSync(file)]));
  }

  function textOf(file: string): string {
    return readFileSync(join(project.folder, 'dist/client', file), 'utf8');
  }
});
