import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listFiles, writeFileIndex } from '../../site-builder/built-site/file-index.ts';
import { renderText } from '../http/gateway-fakes.ts';
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

test('a new build is served once it is switched to, with its own policies and hosts', async () => {
  renameSync(build('first', ['old']), dist);
  const pages = openStaticPages(dist, undefined, renderText);
  assert.equal(pages.find('', '/', undefined)?.name, undefined);
  const show = (path: string) => {
    const { body, headers } = pages.find('', path, undefined) ?? pages.notFound('', path, undefined);
    return [String(body), headers['content-security-policy']];
  };
  const areForSale = async () => {
    const sitemaps = ['first.example', 'second.example'].map((host) => pages.hostText(host, '/sitemap.xml'));
    return (await Promise.all(sitemaps)).map((sitemap) => sitemap !== undefined);
  };
  assert.deepEqual(show('/'), ['first index', 'policy of first']);
  assert.deepEqual(await areForSale(), [true, false]);

  const next = build('second', ['new']);
  renameSync(dist, join(folder, 'last'));
  assert.throws(() => pages.load(dist), /still serving the previous one/);
  assert.deepEqual(show('/'), ['first index', 'policy of first']);
  renameSync(next, dist);
  const switchTo = pages.load(dist);
  assert.deepEqual(show('/'), ['first index', 'policy of first']);
  switchTo();
  assert.equal(pages.folder(), realpathSync(dist));
  assert.equal(pages.problem(), undefined);
  assert.deepEqual(show('/'), ['second index', 'policy of second']);
  assert.deepEqual(show('/new.html'), ['second new', 'policy of second']);
  assert.deepEqual(show('/old.html'), ['second 404', 'policy of second']);
  assert.deepEqual(await areForSale(), [false, true]);

  const broken = build('broken', []);
  rmSync(join(broken, 'client/404.html'));
  renameSync(dist, join(folder, 'former'));
  renameSync(broken, dist);
  assert.throws(() => pages.load(dist), /Could not load the new build/);
  assert.match(pages.problem() ?? '', /still serving the previous one/);
  assert.deepEqual(show('/new.html'), ['second new', 'policy of second']);
});

test('a file that is read later is of the build that is served, wherever the link leads by then', () => {
  const link = join(folder, 'link');
  symlinkSync(build('linked', ['later']), link);
  const pages = openStaticPages(link, undefined, renderText);
  rmSync(link);
  symlinkSync(build('linked-next', ['later']), link);
  assert.equal(String(pages.find('', '/later.html', undefined)?.body), 'linked later');
});

test('a build with an index of its files is opened without listing its folders', () => {
  const place = build('indexed', ['later']);
  writeFileIndex(place, listFiles(place));
  writeFileSync(join(place, 'client/unlisted.html'), 'not of the build');
  const pages = openStaticPages(place, undefined, renderText);
  assert.equal(String(pages.find('', '/later.html', undefined)?.body), 'indexed later');
  assert.equal(pages.find('', '/unlisted.html', undefined), undefined);
  writeFileSync(join(place, 'files.json'), '{"comp');
  assert.ok(
    openStaticPages(place, undefined, renderText).find('', '/unlisted.html', undefined),
    'a damaged index',
  );
});

test('a page without compressed forms is compressed at its first request, a picture is not', () => {
  const place = build('large', ['page']);
  writeFileSync(join(place, 'client/picture.png'), 'a picture');
  const pages = openStaticPages(place, undefined, renderText);
  const sent = (path: string, accepts?: string) => pages.find('', path, accepts) ?? assert.fail(path);
  const br = sent('/page.html', 'gzip, br');
  assert.deepEqual(
    [br.headers['content-encoding'], String(brotliDecompressSync(br.body))],
    ['br', 'large page'],
  );
  assert.equal(br.headers['content-length'], String(br.body.byteLength));
  assert.equal(sent('/page.html', 'gzip, br'), br, 'compressed once');
  const gzip = sent('/page.html', 'gzip');
  assert.deepEqual([gzip.headers['content-encoding'], String(gunzipSync(gzip.body))], ['gzip', 'large page']);
  assert.equal(String(sent('/page.html').body), 'large page');
  assert.equal(sent('/picture.png', 'gzip, br').headers['content-encoding'], undefined);
});

test('the cache evicts its oldest pages for new ones, and goes on caching', () => {
  const names = ['one', 'two', 'three', 'four', 'five'];
  // Room for two pages of a few bytes, each with 2,048 for its entry.
  const pages = openStaticPages(build('small-cache', names), undefined, renderText, 5_000);
  const read = (name: string) => pages.find('', `/${name}.html`, 'br');
  for (const name of names) assert.equal(read(name), read(name), `${name} is cached`);
  // The cache holds four and five.
  const five = read('five');
  read('one');
  assert.equal(read('five'), five, 'one new page evicts four');
  read('two');
  assert.notEqual(read('five'), five, 'the second new page evicts five');
});

test('a page of a name says whose it is, in each language and on its own host', () => {
  const own = ['sites/lap.app/index', 'de/sites/lap.app/index', 'sites/index'];
  for (const place of ['sites/lap.app', 'de/sites/lap.app'])
    mkdirSync(join(folder, 'names/client', place), { recursive: true });
  const pages = openStaticPages(build('names', own), undefined, renderText);
  const nameAt = (host: string, path: string) => pages.find(host, path, undefined)?.name;
  assert.deepEqual(
    ['/sites/lap.app/', '/sites/lap.app', '/de/sites/lap.app/', '/', '/sites/'].map((path) =>
      nameAt('', path),
    ),
    ['lap.app', 'lap.app', 'lap.app', undefined, undefined],
  );
  assert.deepEqual(
    ['/', '/de/'].map((path) => nameAt('www.lap.app', path)),
    ['lap.app', 'lap.app'],
  );
});

test('the text of a host is rendered once a day, the same for all unknown hosts, and again after an error', async (context) => {
  context.mock.timers.enable({ apis: ['Date'] });
  const rendered: string[] = [];
  let isFailing = true;
  const pages = openStaticPages(build('texts', []), undefined, async (path, { host }) => {
    rendered.push(host + path);
    if (isFailing) throw new Error('no memory');
    return { headers: {}, body: Buffer.from('text') };
  });
  const read = (...hosts: string[]) => Promise.all(hosts.map((host) => pages.hostText(host, '/robots.txt')));
  await assert.rejects(read('texts.example'), /no memory/);
  isFailing = false;
  await read('texts.example', 'www.texts.example');
  await read('one.example', 'two.example', '');
  assert.deepEqual(rendered.splice(0), [...Array(2).fill('texts.example/robots.txt'), '/robots.txt']);
  context.mock.timers.tick(86_399_999);
  await read('texts.example', 'three.example');
  assert.deepEqual(rendered, []);
  context.mock.timers.tick(1);
  await read('texts.example');
  assert.deepEqual(rendered, ['texts.example/robots.txt']);
});
