/** The owner's theme, logo and texts: on every page after an edit, on none after a mistake, and no difference without. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { sendRequest } from '../support/http-client.ts';
import { copyOfProject, type Product, startProduct } from '../support/product.ts';
import { runTool, waitUntil } from '../support/terminal.ts';

/** More domains than one page shows: unchanged pages are reused by the next build. */
const COUNT = 25;
/** Any file with bytes that are no text. */
const ICON = 'docs/pictures/mail.png';
const LOGO = '<svg viewBox="0 0 20 10"><path fill="currentColor" d="M0 0h20v10z"/></svg>';

describe('the look of the owner', () => {
  const project = copyOfProject();
  const dataDir = newDataFolder();
  const own = join(project.folder, 'own');
  let product: Product | undefined;

  const write = (name: string, text: string) => writeFileSync(join(own, name), text);
  const build = () => runTool('node/commands/build.ts', [], { DATA_DIR: dataDir }, project.folder);
  const mustBuild = () => {
    const { code, text } = build();
    assert.equal(code, 0, text);
    return text;
  };
  const read = (path: string) => readFileSync(join(project.folder, 'dist/client', path), 'utf8');
  /** Every file of the site by its path. */
  const files = () => {
    const root = join(project.folder, 'dist/client');
    const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = all.map((entry) => join(entry.parentPath, entry.name)).sort();
    return paths.map((file) => `${file.slice(root.length)} ${readFileSync(file, 'base64')}`);
  };

  before(() => {
    const names = Array.from({ length: COUNT }, (_, n) => `name${n}.example`);
    const domains = names.map((name) => ({ name, price: '$1', description: 'A name.', hasBroker: true }));
    const settings = {
      brokerUrl: 'https://broker.example/{domain}',
      languages: ['en', 'de'],
      shareImages: false,
    };
    const catalogue = JSON.stringify({ settings, domains });
    writeFileSync(join(project.folder, 'src/content/catalogue.yaml'), catalogue);
  });
  after(async () => {
    await product?.stop();
    project.remove();
    rmSync(dataDir, { recursive: true });
  });

  test('an empty folder needs no other build than none', () => {
    mustBuild();
    mkdirSync(own);
    const { code, text } = runTool('node/commands/build-if-needed.ts', [], {}, project.folder);
    assert.deepEqual([code, text], [0, '']);
  });

  test('new files of the look change every page', () => {
    write('theme.css', ':root { --accent: light-dark(#135b31, #8fdcab); --radius-m: 0; }');
    write('logo.svg', LOGO);
    write('texts.de.yaml', 'page.header: Namen zu verkaufen\nform.submit: Jetzt bieten\n');
    copyFileSync(ICON, join(own, 'favicon.ico'));
    // None reused, and the one share image drawn anew.
    assert.match(mustBuild(), /\(25 domains; share images drawn: 1\)/);
    for (const path of ['index.html', 'sites/name7.example/index.html', 'domains/index.html', '404.html']) {
      const page = read(path);
      assert.match(page, /light-dark\(#135b31, ?#8fdcab\)/, path);
      assert.match(page, /<svg class="logo" width="64" height="32"[^>]*><path/, path);
      assert.match(page, /Your Next Domain Awaits/, path);
      assert.doesNotMatch(page, /2a23e0/i, path);
      assert.match(page, /<link rel="icon" href="\/favicon\.ico">/, path);
    }
    const german = read('de/sites/name7.example/index.html');
    assert.match(german, /Namen zu verkaufen/);
    assert.match(german, />Jetzt bieten</);
    const messages = /\/(_astro\/messages\.[\w-]+\.js)/.exec(german)?.[1] ?? '';
    assert.match(read(messages), /"submit":"Jetzt bieten"/);
    const admin = read('admin/login/index.html');
    assert.match(admin, /#135b31/);
    assert.match(admin, /<link rel="icon" href="\/favicon\.ico"/);
    assert.deepEqual(readFileSync(join(project.folder, 'dist/client/favicon.ico')), readFileSync(ICON));
  });

  test('each mistake is reported, and nothing of a wrong file reaches a page', () => {
    const built = files();
    write('theme.css', ':root { --accent: url(https://evil.example/) }');
    write('logo.svg', '<svg viewBox="0 0 1 1"><script>evil()</script></svg>');
    write('texts.en.yaml', 'page.header: <script>evil()</script>\n');
    const { code, text } = build();
    assert.equal(code, 1);
    assert.match(text, /own\/theme\.css:1:9 {2}"--accent" is "url/);
    assert.match(text, /own\/logo\.svg:1:24 {2}has <script>/);
    assert.match(text, /own\/texts\.en\.yaml:1:1 {2}text page\.header has markup/);
    const check = runTool('node/commands/catalogue.ts', ['check'], {}, project.folder);
    assert.equal(check.code, 1);
    assert.match(check.text, /own\/logo\.svg:1:24 {2}has <script>/);
    assert.deepEqual(files(), built);
  });

  test('a start with mistakes serves the last good build, and reports them', async () => {
    product = await startProduct({ dataDir, project: project.folder, options: ['--watch'] });
    assert.match(product.log(), /own\/logo\.svg:1:24 {2}has <script>/);
    assert.match(product.log(), /The last good build is served until this is corrected\./);
    const page = await sendRequest(product.port, { path: '/' });
    assert.match(page.text, /<svg class="logo"/);
    assert.doesNotMatch(page.text, /evil/);
    const health = await sendRequest(product.port, { path: '/health' });
    const { reasons } = JSON.parse(health.text) as { reasons: { catalogue: string } };
    assert.match(reasons.catalogue, /own\/theme\.css:1:9 {2}"--accent" is "url/);
  });

  test('with --watch an edit of each file is built and served', async () => {
    const { port } = product as Product;
    write('theme.css', ':root { --accent: light-dark(#7a1f5c, #8fdcab) }');
    write('logo.svg', LOGO.replace('<path', `<path d="M${'1 '.repeat(1500)}"/><path`));
    write('texts.en.yaml', 'page.header: Names worth owning\n');
    const page = async () => (await sendRequest(port, { path: '/sites/name3.example/' })).text;
    await waitUntil(async () => /Names worth owning/.test(await page()), 'the edits are served');
    assert.match(await page(), /#7a1f5c/);
    const [, path = ''] =
      /<img class="logo" src="([^"]+)" width="64" height="32" alt/.exec(await page()) ?? [];
    const logo = await sendRequest(port, { path });
    assert.equal(logo.status, 200);
    assert.match(logo.text, /prefers-color-scheme:dark/);
    assert.match(String(logo.headers['cache-control']), /immutable/);
    assert.equal(String(logo.headers['content-type']), 'image/svg+xml');
    rmSync(join(own, 'logo.svg'));
    await waitUntil(async () => !/class="logo"/.test(await page()), 'the removal is served');
  });
});
