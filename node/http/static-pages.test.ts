import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { openStaticPages } from './static-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
after(() => rmSync(folder, { recursive: true }));

const dist = join(folder, 'dist');

function build(name: string, pages: string[]): string {
  const place = join(folder, name);
  mkdirSync(join(place, 'client'), { recursive: true });
  for (const page of ['index', '404', ...pages])
    writeFileSync(join(place, `client/${page}.html`), `${name} ${page}`);
  writeFileSync(join(place, 'policies.json'), JSON.stringify({ everywhere: `policy of ${name}`, pages: {} }));
  const siteFacts = { names: [`${name}.example`], hosts: [], languages: ['en'], domainPages: 0 };
  writeFileSync(join(place, 'site-facts.json'), JSON.stringify(siteFacts));
  return place;
}

test('a new build is served as soon as it replaces the previous one, with its own policies and hosts', (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  renameSync(build('first', ['old']), dist);
  const pages = openStaticPages(dist, undefined);
  const ask = (path: string) => {
    const { body, headers } = pages.find('', path, undefined) ?? pages.notFound(path, undefined);
    return [String(body), headers[headers.indexOf('content-security-policy') + 1]];
  };
  const isForSale = (host: string) => pages.site().names.has(host);
  assert.deepEqual(ask('/'), ['first index', 'policy of first']);
  assert.deepEqual(['first.example', 'second.example'].map(isForSale), [true, false]);

  const next = build('second', ['new']);
  renameSync(dist, join(folder, 'last'));
  context.mock.timers.tick(1_000);
  assert.deepEqual(ask('/'), ['first index', 'policy of first']);
  renameSync(next, dist);
  context.mock.timers.tick(1_000);
  assert.deepEqual(ask('/'), ['second index', 'policy of second']);
  assert.deepEqual(ask('/new.html'), ['second new', 'policy of second']);
  assert.deepEqual(ask('/old.html'), ['second 404', 'policy of second']);
  assert.deepEqual(['first.example', 'second.example'].map(isForSale), [false, true]);

  const said = mock.method(console, 'error', () => {});
  const broken = join(folder, 'broken');
  mkdirSync(join(broken, 'client'), { recursive: true });
  renameSync(dist, join(folder, 'former'));
  renameSync(broken, dist);
  context.mock.timers.tick(5_000);
  assert.equal(said.mock.callCount(), 1);
  assert.match(pages.problem() ?? '', /still serving the previous one/);
  assert.deepEqual(ask('/new.html'), ['second new', 'policy of second']);
});
