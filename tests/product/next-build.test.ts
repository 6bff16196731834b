/** A large catalogue's next build costs what changed, and makes exactly what a whole build would make. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { BASE_ENV } from '../support/base-environment.ts';
import { copyOfProject } from '../support/product.ts';
import { runTool } from '../support/terminal.ts';

describe('a catalogue of thirty domains in two languages', () => {
  const project = copyOfProject();
  after(() => project.remove());

  const write = (edited: Record<number, string> = {}, count = 30) => {
    const entries = Array.from(
      { length: count },
      (_, n) =>
        `  - { name: name${n}.app, price: $1, description: ${edited[n] ?? `The name number ${n}.`}, hasBroker: true }`,
    );
    const text = `settings:\n  brokerUrl: https://broker.example/{domain}\n  languages: [en, de]\ndomains:\n${entries.join('\n')}\n`;
    // At once, also for a build that reads it in this moment.
    const written = join(project.folder, 'written.yaml');
    writeFileSync(written, text);
    renameSync(written, join(project.folder, 'src/content/catalogue.yaml'));
  };
  const tryToBuild = () =>
    spawnSync(resolve('node_modules/.bin/node'), ['node/commands/build.ts'], {
      cwd: project.folder,
      encoding: 'utf8',
      env: BASE_ENV,
    });
  /** When each domain's page was written, by its address: a page that is kept is moved. */
  const written = () => {
    const root = join(project.folder, 'dist/client');
    const pages = ['sites', 'de/sites'].flatMap((sites) =>
      existsSync(join(root, sites)) ? readdirSync(join(root, sites)).map((name) => `/${sites}/${name}`) : [],
    );
    return new Map(
      pages.map((page) => [page, statSync(join(root, page, 'index.html'), { bigint: true }).mtimeNs]),
    );
  };
  /** Answers the addresses of the domains' pages that were made. */
  const build = () => {
    const before = written();
    const { status, stderr } = tryToBuild();
    assert.equal(status, 0, stderr);
    return [...written()]
      .filter(([page, at]) => before.get(page) !== at)
      .map(([page]) => page)
      .sort();
  };
  const files = () => {
    const root = join(project.folder, 'dist/client');
    return Object.fromEntries(
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((file) => [file.slice(root.length), readFileSync(file, 'base64')]),
    );
  };

  before(() => {
    write();
    assert.equal(build().length, 60);
  });

  test('a domain’s page shows six domains, and the pages of domains list all', () => {
    const page = readFileSync(join(project.folder, 'dist/client/sites/name3.app/index.html'), 'utf8');
    assert.equal(page.match(/<input type="radio"/g)?.length, 6);
    assert.match(page, /href="\/domains\/"/);
    const domainsPage = readFileSync(join(project.folder, 'dist/client/domains/index.html'), 'utf8');
    assert.equal(domainsPage.match(/href="\/sites\/name\d+\.app\/"/g)?.length, 30);
    // On every host the same, and no host is theirs.
    assert.doesNotMatch(domainsPage, /rel="(?:canonical|alternate)"/);
    const german = readFileSync(join(project.folder, 'dist/client/de/domains/index.html'), 'utf8');
    assert.equal(german.match(/href="\/de\/sites\/name\d+\.app\/"/g)?.length, 30);
    assert.match(german, /30 Domains durchsuchen/);
    const [, ...names] = JSON.parse(
      readFileSync(join(project.folder, 'dist/client/domains/names.json'), 'utf8'),
    );
    assert.equal(names.length, 30);
  });

  test('a changed description renders only the pages that show it, with the output of a full build', () => {
    write({ 10: 'A better description.' });
    const showing = [10, 5, 6, 7, 8, 9].map((n) => `/sites/name${n}.app`);
    assert.deepEqual(build(), [...showing.map((address) => `/de${address}`), ...showing]);
    const spared = files();
    rmSync(join(project.folder, 'dist'), { recursive: true });
    assert.equal(build().length, 60);
    assert.deepEqual(Object.keys(spared), Object.keys(files()));
    assert.deepEqual(spared, files());
  });

  test('a removed domain has no page', () => {
    write({ 10: 'A better description.' }, 29);
    build();
    assert.equal(files()['/sites/name29.app/index.html'], undefined);
    assert.equal(files()['/de/sites/name29.app/index.html'], undefined);
    assert.ok(files()['/de/sites/name28.app/index.html']);
  });

  test('a failed build leaves the previous one unchanged', () => {
    const before = files();
    const broken = join(project.folder, 'src/pages/broken.astro');
    writeFileSync(broken, "---\nthrow new Error('on purpose');\n---\n");
    const { status, stderr } = tryToBuild();
    rmSync(broken);
    assert.notEqual(status, 0);
    assert.match(stderr, /The pages could not be built/);
    assert.deepEqual(files(), before);
  });

  test('a truncated manifest is ignored', () => {
    for (const [damaged, left] of [
      ['dist/pages.json', ''],
      ['dist/policies.json', '{"everywhere": "def'],
      ['.astro/share.json', '{'],
    ] as const) {
      writeFileSync(join(project.folder, damaged), left);
      assert.equal(build().length, damaged.startsWith('dist') ? 58 : 0, damaged);
    }
  });

  test('npm start rebuilds a site that cannot be served', () => {
    for (const name of ['policies.json', 'site-facts.json']) {
      const file = join(project.folder, 'dist', name);
      writeFileSync(file, '');
      const { code } = runTool('node/commands/build-if-needed.ts', [], {}, project.folder);
      assert.equal(code, 0);
      assert.equal(typeof JSON.parse(readFileSync(file, 'utf8')), 'object');
    }
  });

  /** Returns the output of a build that succeeded. */
  const start = (script: string) => {
    const child = spawn(resolve('node_modules/.bin/node'), [script], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: BASE_ENV,
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    return { child, said: () => text };
  };
  const buildAside = async (script: string, atFirstWord = () => {}): Promise<string> => {
    const { child, said: output } = start(script);
    child.stdout.once('data', atFirstWord);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    return output();
  };
  /** Kills a build, and waits until the process that renders its pages has ended as well. */
  const kill = async (build: ChildProcess) => {
    const renderer = rendererOf(build);
    build.kill('SIGKILL');
    while (existsSync(`/proc/${renderer}/cwd`)) await later(10);
  };
  /** Undefined before there is one. */
  const rendererOf = ({ pid }: ChildProcess) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() || undefined;
  const rendered = () => {
    const pages = join(project.folder, '.builds/next/client/sites');
    return existsSync(pages) ? readdirSync(pages).length : 0;
  };

  test('an editor’s temporary file beside the catalogue triggers no build', () => {
    const { folder } = project;
    writeFileSync(join(folder, 'src/content/.catalogue.yaml.swp'), 'half a sentence');
    const { text } = runTool('node/commands/build-if-needed.ts', [], {}, folder);
    assert.doesNotMatch(text, /Building/);
  });

  test('the second of two concurrent builds waits and has nothing to do', async () => {
    write({ 3: 'Edited once more.' }, 29);
    const script = 'node/commands/build-if-needed.ts';
    const output = (await Promise.all([buildAside(script), buildAside(script)])).join('');
    assert.equal(output.match(/Another build is under way/g)?.length, 1);
    assert.equal(output.match(/^Built /gm)?.length, 1);
    assert.match(pageOf('name3.app'), /Edited once more\./);
  });

  test('a killed build renders nothing more', { timeout: 60_000 }, async () => {
    write({ 3: 'Never built.' }, 29);
    const { child } = start('node/commands/build.ts');
    while (!rendererOf(child)) await later(5);
    await kill(child);
    assert.equal(rendered(), 0);
    assert.doesNotMatch(pageOf('name3.app'), /Never built/);
  });

  test('a build killed among thousands of pages renders nothing more', { timeout: 60_000 }, async () => {
    write({}, 1500);
    const { child, said: output } = start('node/commands/build.ts');
    while (!/of 3,\d+ pages/.test(output())) await later(5);
    await kill(child);
    assert.ok(rendered() < 1000, `${rendered()} of 1,500 domains had their page`);
    write({ 3: 'Never built.' }, 29);
  });

  test('an edit during a build makes the next build render every page', async () => {
    write({ 4: 'Before.' }, 29);
    const output = await buildAside('node/commands/build.ts', () => write({ 4: 'After.' }, 29));
    assert.match(output, /edited meanwhile: please build once more/);
    assert.equal(build().length, 58);
    assert.match(pageOf('name4.app'), /After\./);
  });

  function pageOf(name: string): string {
    return readFileSync(join(project.folder, `dist/client/sites/${name}/index.html`), 'utf8');
  }
});
