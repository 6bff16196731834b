/** The owner's theme, logo and texts: on every page after an edit, on none after a problem, and no difference without. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { sendRequest } from '../support/http-client.ts';
import { copyOfBuiltProject, type ProductProcess, startProductProcess } from '../support/product.ts';
import { runTool, waitUntil } from '../support/terminal.ts';

/** More domains than one page shows: only then could the next build reuse pages. */
const COUNT = 25;
/** Bytes that are no text. */
const ICON = Buffer.from([0, 0, 1, 0, 255, 254, 128, 10]);
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M0 0h20v10z"/></svg>';

/** Two builds and a start take 20 s of processor time. */
const TIMEOUT_MS = 300_000;

// Each step goes on from the files and the build of the one before.
test('the owner’s branding', { timeout: TIMEOUT_MS }, async (t) => {
  const project = copyOfBuiltProject();
  const dataDir = newDataFolder();
  const own = join(project.folder, 'own');
  let product: ProductProcess | undefined;

  const write = (name: string, text: string) => writeFileSync(join(own, name), text);
  const build = () => runTool('commands/build.ts', [], { DATA_DIR: dataDir }, project.folder);
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

  const names = Array.from({ length: COUNT }, (_, n) => `name${n}.example`);
  const domains = names.map((name) => ({ name, price: '$1', description: 'A name.', hasBroker: true }));
  const settings = {
    brokerUrl: 'https://broker.example/{domain}',
    languages: ['en', 'de'],
  };
  const catalogue = JSON.stringify({ settings, domains });
  writeFileSync(join(project.folder, 'src/content/catalogue.yaml'), catalogue);
  mkdirSync(own);
  t.after(async () => {
    await product?.stop();
    project.remove();
    rmSync(dataDir, { recursive: true });
  });

  await t.test('the owner’s files are on every page', () => {
    write('theme.css', ':root { --accent: light-dark(#135b31, #8fdcab); --radius: 0; }');
    write('logo.svg', LOGO);
    write('logo-dark.svg', LOGO.replace('<path', '<path fill="#fff"'));
    write('texts.de.yaml', 'page.header: Namen zu verkaufen\nform.submit: Jetzt bieten\n');
    writeFileSync(join(own, 'favicon.ico'), ICON);
    const text = mustBuild();
    assert.match(text, /\(25 domains\)/);
    assert.doesNotMatch(text, /contrast/);
    for (const path of ['index.html', 'sites/name7.example/index.html', 'domains/index.html', '404.html']) {
      const page = read(path);
      assert.match(page, /--accent:#135b31;.*--accent:#8fdcab;/, path);
      assert.match(
        page,
        /<img class="logo" src="\/_astro\/logo\.[\w-]+\.svg" width="64" height="32" alt/,
        path,
      );
      assert.match(page, /Your Next Domain Awaits/, path);
      assert.match(page, /<link rel="icon" href="\/favicon\.ico">/, path);
    }
    const german = read('de/sites/name7.example/index.html');
    assert.match(german, /Namen zu verkaufen/);
    assert.match(german, />Jetzt bieten</);
    // For the islands.
    const scripts = readdirSync(join(project.folder, 'dist/client/_astro')).filter((name) =>
      name.endsWith('.js'),
    );
    assert.ok(scripts.some((name) => read(`_astro/${name}`).includes('Jetzt bieten')));
    const admin = read('admin/login/index.html');
    assert.match(admin, /#135b31/);
    assert.match(admin, /<link rel="icon" href="\/favicon\.ico"/);
    assert.deepEqual(readFileSync(join(project.folder, 'dist/client/favicon.ico')), ICON);
  });

  await t.test('each problem is reported, and nothing of a wrong file reaches a page', () => {
    const built = files();
    write('theme.css', ':root { --accent: url(https://evil.example/) }');
    write('texts.en.yaml', 'page.haeder: Mine\n');
    const { code, text } = build();
    assert.equal(code, 1);
    assert.match(text, /own\/theme\.css:1:9 {2}"--accent" is "url/);
    assert.match(text, /own\/texts\.en\.yaml:1:1 {2}text page\.haeder is not a known key/);
    const check = runTool('commands/catalogue.ts', ['check'], {}, project.folder);
    assert.equal(check.code, 1);
    assert.match(check.text, /own\/texts\.en\.yaml:1:1 {2}text page\.haeder/);
    assert.deepEqual(files(), built);
  });

  for (const name of ['logo.svg', 'logo-dark.svg']) rmSync(join(own, name));
  product = await startProductProcess({ dataDir, project: project.folder, options: ['--watch'] });
  const { port, log } = product;

  await t.test('a start with problems serves the last good build, and reports them', async () => {
    assert.match(log(), /own\/texts\.en\.yaml:1:1 {2}text page\.haeder/);
    assert.match(log(), /The last good build is served until this is corrected\./);
    const page = await sendRequest(port, { path: '/' });
    assert.match(page.text, /<img class="logo"/);
    assert.doesNotMatch(page.text, /evil/);
    const [, path = ''] =
      /<source srcset="([^"]+)" media="\(prefers-color-scheme: dark\)"/.exec(page.text) ?? [];
    const logo = await sendRequest(port, { path });
    assert.equal(logo.status, 200);
    assert.match(logo.text, /fill="#fff"/);
    assert.match(String(logo.headers['cache-control']), /immutable/);
    assert.equal(String(logo.headers['content-type']), 'image/svg+xml');
    assert.equal(logo.headers['x-content-type-options'], 'nosniff');
    assert.equal(
      logo.headers['content-security-policy'],
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    const health = await sendRequest(port, { path: '/health' });
    const { reasons } = JSON.parse(health.text) as { reasons: { catalogue: string } };
    assert.match(reasons.catalogue, /own\/theme\.css:1:9 {2}"--accent" is "url/);
  });

  await t.test(
    'with --watch edits and removals of files are built and served, with a warning of too little contrast',
    async () => {
      write('theme.css', ':root { --accent: light-dark(#ffd700, #8fdcab) }');
      write('texts.en.yaml', 'page.header: Names worth owning\n');
      const page = async () => (await sendRequest(port, { path: '/sites/name3.example/' })).text;
      await waitUntil(async () => /Names worth owning/.test(await page()), 'the edits are served', 500);
      const warning =
        /--accent \(#ffd700\) on --page \(#f7f6f2\) has a contrast of 1\.29 in light colours: text needs 4\.5/;
      // Printed once they are live.
      await waitUntil(async () => warning.test(log()), 'the warning is printed');
      assert.match(log(), /^Warning: own\/theme\.css /m);
      // All drawn anew, as no page is reused.
      assert.match(log(), /^Share images drawn: 26\.$/m);
      const doctor = runTool('commands/doctor.ts', ['--json'], { DATA_DIR: dataDir }, project.folder);
      assert.match(doctor.text, warning);
      assert.match(await page(), /#ffd700/);
      assert.doesNotMatch(await page(), /class="logo"/, 'the removal is served');
    },
  );
});
