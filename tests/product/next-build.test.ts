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

/** One more than a page shows: only then the next build reuses pages. */
const COUNT = 25;

describe('a large catalogue in two languages', () => {
  const project = copyOfProject();
  after(() => project.remove());

  const write = (edited: Record<number, string> = {}, count = COUNT) => {
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
  /** When each domain's page was rendered, by its address: Astro's copy in its cache is written then. */
  const written = () => {
    const root = join(project.folder, '.astro/cache/dist/client');
    const pages = ['sites', 'de/sites'].flatMap((sites) =>
      existsSync(join(root, sites)) ? readdirSync(join(root, sites)).map((name) => `/${sites}/${name}`) : [],
    );
    const times = pages.map((page) => {
      const file = statSync(join(root, page, 'index.html'), { bigint: true, throwIfNoEntry: false });
      return [page, file?.mtimeNs] as const;
    });
    // Astro leaves the folders of removed pages.
    return new Map(times.filter(([, time]) => time !== undefined));
  };
  /** Returns the paths of the domains' pages that were made. */
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

  /** Edited descriptions of the first build. */
  const FIRST = { 10: 'The first description.' };
  /** Files of the first build, which renders every page. */
  let whole: Record<string, string>;
  before(() => {
    write(FIRST);
    assert.equal(build().length, 2 * COUNT);
    whole = files();
  });

  test('a domain’s page shows six domains, and the pages of domains list all', () => {
    const page = readFileSync(join(project.folder, 'dist/client/sites/name3.app/index.html'), 'utf8');
    assert.equal(page.match(/<input type="radio"/g)?.length, 6);
    assert.match(page, /href="\/domains\/"/);
    const domainsPage = readFileSync(join(project.folder, 'dist/client/domains/index.html'), 'utf8');
    assert.equal(domainsPage.match(/href="\/sites\/name\d+\.app\/"/g)?.length, COUNT);
    // On every host the same, and no host is theirs.
    assert.doesNotMatch(domainsPage, /rel="(?:canonical|alternate)"/);
    const german = readFileSync(join(project.folder, 'dist/client/de/domains/index.html'), 'utf8');
    assert.equal(german.match(/href="\/de\/sites\/name\d+\.app\/"/g)?.length, COUNT);
    assert.match(german, /25 Domains durchsuchen/);
    const [, ...names] = JSON.parse(
      readFileSync(join(project.folder, 'dist/client/domains/names.json'), 'utf8'),
    );
    assert.equal(names.length, COUNT);
  });

  /** Addresses of the domains' pages in both languages. */
  const pagesOf = (...domains: number[]) =>
    domains.flatMap((n) => [`/sites/name${n}.app`, `/de/sites/name${n}.app`]).sort();

  test('a changed description and an added domain render only the pages that show them', () => {
    write({ 10: 'A better description.' }, COUNT + 1);
    assert.deepEqual(build(), pagesOf(5, 6, 7, 8, 9, 10, 20, 21, 22, 23, 24, 25));
    assert.match(pageOf('name5.app'), /A better description\./);
  });

  test('a build of few pages, also without a removed domain, has the output of a full build', () => {
    const before = files();
    assert.ok(before['/de/sites/name25.app/index.html']);
    write(FIRST);
    assert.deepEqual(build(), pagesOf(5, 6, 7, 8, 9, 10, 20, 21, 22, 23, 24));
    assert.deepEqual(Object.keys(files()), Object.keys(whole));
    assert.deepEqual(files(), whole);
  });

  test('pages of a killed build are not reused', { timeout: 120_000 }, async () => {
    write({ ...FIRST, 3: 'Never built.' });
    const { child } = start('node/commands/build.ts');
    const cached = join(project.folder, '.astro/cache/dist/client/sites/name3.app/index.html');
    while (!readFileSync(cached, 'utf8').includes('Never built')) await later(5);
    await kill(child);
    write(FIRST);
    assert.equal(build().length, 2 * COUNT);
    assert.deepEqual(files(), whole);
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
    return { child, output: () => text };
  };
  const buildAside = async (script: string, atFirstWord = () => {}): Promise<string> => {
    const { child, output } = start(script);
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
    write({ ...FIRST, 3: 'Edited once more.' });
    const script = 'node/commands/build-if-needed.ts';
    const output = (await Promise.all([buildAside(script), buildAside(script)])).join('');
    assert.equal(output.match(/Another build is under way/g)?.length, 1);
    assert.equal(output.match(/^Built /gm)?.length, 1);
    assert.match(pageOf('name3.app'), /Edited once more\./);
  });

  test('a killed build renders nothing more', { timeout: 60_000 }, async () => {
    write({ ...FIRST, 3: 'Never built.' });
    const { child } = start('node/commands/build.ts');
    while (!rendererOf(child)) await later(5);
    await kill(child);
    assert.equal(rendered(), 0);
    assert.doesNotMatch(pageOf('name3.app'), /Never built/);
  });

  test('a build killed among thousands of pages renders nothing more', { timeout: 60_000 }, async () => {
    write({}, 1500);
    const { child } = start('node/commands/build.ts');
    while (rendered() < 100) await later(5);
    await kill(child);
    assert.ok(rendered() < 1000, `${rendered()} of 1,500 domains had their page`);
  });

  test('an edit during a build leaves no manifest of its pages, and the next start builds all', async () => {
    write({ ...FIRST, 4: 'Before.' });
    const edited = { ...FIRST, 4: 'After.' };
    const output = await buildAside('node/commands/build.ts', () => write(edited));
    assert.match(output, /edited meanwhile: please build once more/);
    assert.equal(existsSync(join(project.folder, '.astro/cache/sources.txt')), false);

    // As after a power cut; build-site.test.ts damages each file alone.
    const policies = join(project.folder, 'dist/policies.json');
    writeFileSync(policies, '{"everywhere": "def');
    const before = written();
    const { code, text } = runTool('node/commands/build-if-needed.ts', [], {}, project.folder);
    assert.equal(code, 0, text);
    assert.match(text, /\(25 domains\)/);
    assert.equal([...written()].filter(([page, at]) => before.get(page) !== at).length, 2 * COUNT);
    assert.match(pageOf('name4.app'), /After\./);
    assert.equal(typeof JSON.parse(readFileSync(policies, 'utf8')), 'object');
  });

  function pageOf(name: string): string {
    return readFileSync(join(project.folder, `dist/client/sites/${name}/index.html`), 'utf8');
  }
});
