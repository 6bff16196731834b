/**
 * A large catalogue's next build costs what changed, and makes exactly what a whole build would make, also where domains are
 * sold and prices hidden.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { BASE_ENV } from '../support/base-environment.ts';
import { copyOfBuiltProject } from '../support/product.ts';
import { runTool } from '../support/terminal.ts';

/** Digits that occur in no other file of a build. */
const HIDDEN_PRICE = '$73,519,264';
/** With one sold, one more for sale than a page shows: only then the next build reuses pages. */
const COUNT = 26;

/** Eight builds, one of them of 1,500 domains, take 35 s of processor time. */
const TIMEOUT_MS = 600_000;

/** Preloaded into a build: notes when it reads the catalogue, and lets time pass before the read itself. */
const NOTE_READING = `--import=data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { readFileSync } = fs;
  fs.readFileSync = (file, ...options) => {
    const now = Date.now();
    if (String(file).endsWith('/catalogue.yaml')) {
      fs.appendFileSync('read-at.txt', now + '\\n');
      while (Date.now() < now + 3);
    }
    return readFileSync(file, ...options);
  };
  syncBuiltinESMExports();
`)}`;

/** What differs between the catalogues. */
interface Catalogue {
  count?: number;
  descriptions?: Record<number, string>;
  states?: Record<number, 'sold' | 'reserved'>;
}

/** That of the first build. */
const FIRST = { descriptions: { 10: 'The first description.' }, states: { 3: 'sold' } } satisfies Catalogue;
/** Written while that is built again. */
const EDITED = { count: 2, states: { 0: 'sold', 1: 'reserved' } } satisfies Catalogue;

describe('a large catalogue in two languages', () => {
  const project = copyOfBuiltProject();
  after(() => project.remove());

  const write = ({ count = COUNT, descriptions = {}, states = {} }: Catalogue) => {
    const domains = Array.from({ length: count }, (_, n) => ({
      name: `name${n}.app`,
      price: HIDDEN_PRICE,
      description: descriptions[n] ?? `The name number ${n}.`,
      hasBroker: true,
      ...(states[n] && { state: states[n] }),
    }));
    const settings = { brokerUrl: 'https://broker.example/{domain}', languages: ['en', 'de'] };
    // At once, also for a build that reads it in this moment. JSON is YAML.
    const written = join(project.folder, 'written.yaml');
    writeFileSync(written, JSON.stringify({ settings, domains }));
    renameSync(written, join(project.folder, 'src/content/catalogue.yaml'));
  };
  const tryToBuild = () =>
    spawnSync(resolve('node_modules/.bin/node'), ['commands/build.ts'], {
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
    return changedSince(before);
  };
  const changedSince = (before: ReturnType<typeof written>) =>
    [...written()]
      .filter(([page, at]) => before.get(page) !== at)
      .map(([page]) => page)
      .sort();
  /** Every file of the site by its path. */
  const files = (): Map<string, Buffer> => {
    const root = join(project.folder, 'dist/client');
    const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = all.map((entry) => join(entry.parentPath, entry.name)).sort();
    return new Map(paths.map((file) => [file.slice(root.length), readFileSync(file)]));
  };
  const textOf = (path: string) => readFileSync(join(project.folder, 'dist/client', path), 'utf8');
  const pageOf = (name: string) => textOf(`sites/${name}/index.html`);
  const assertSame = (some: Map<string, Buffer>, others: Map<string, Buffer>) => {
    assert.deepEqual([...some.keys()], [...others.keys()]);
    for (const [file, content] of some) assert.ok(others.get(file)?.equals(content), file);
  };

  const start = (script: string) => {
    const child = spawn(resolve('node_modules/.bin/node'), [NOTE_READING, script], {
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
  /** Returns the output of a build that succeeded. */
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

  /** Files of the first build, which renders every page. */
  let whole: Map<string, Buffer>;
  const firstTextOf = (path: string) => String(whole.get(`/${path}`));
  const firstPageOf = (name: string) => firstTextOf(`sites/${name}/index.html`);
  before(() => {
    write(FIRST);
    // With the mode of another version.
    mkdirSync(join(project.folder, '.astro'), { recursive: true });
    writeFileSync(join(project.folder, '.astro/checked-catalogue.json'), '', { mode: 0o644 });
    assert.equal(build().length, 2 * COUNT);
    whole = files();
  });

  test('a domain’s page shows six domains, and the pages of domains list all', () => {
    const page = firstPageOf('name4.app');
    assert.equal(page.match(/<input type="radio"/g)?.length, 6);
    assert.match(page, /href="\/domains\/"/);
    const domainsPage = firstTextOf('domains/index.html');
    assert.equal(domainsPage.match(/href="\/sites\/name\d+\.app\/"/g)?.length, COUNT - 1);
    assert.match(domainsPage, /Search 25 domains/);
    // On every host the same, and no host is theirs.
    assert.doesNotMatch(domainsPage, /rel="(?:canonical|alternate)"/);
    const german = firstTextOf('de/domains/index.html');
    assert.equal(german.match(/href="\/de\/sites\/name\d+\.app\/"/g)?.length, COUNT - 1);
    assert.match(german, /25 Domains durchsuchen/);
    const [hash, ...names] = JSON.parse(firstTextOf('domains/names.json'));
    assert.equal(names.length, COUNT - 1);
    const [theirs, ...descriptions] = JSON.parse(firstTextOf('domains/descriptions.json'));
    assert.deepEqual([theirs, descriptions.length], [hash, COUNT - 1]);
  });

  test('no file of the site contains a price with showPrice: never', () => {
    const holding = [...whole].filter(([, content]) => /73[.,]?519/.test(content.toString('latin1')));
    assert.deepEqual(
      holding.map(([file]) => file),
      [],
    );
    assert.match(firstPageOf('name4.app'), /name4\.app is for sale/);
  });

  test('what a build keeps of the catalogue can be read by its owner alone', () => {
    for (const file of ['checked-catalogue.json', 'cache/data-store.json']) {
      const { mode } = statSync(join(project.folder, '.astro', file));
      assert.equal((mode & 0o777).toString(8), '600', file);
    }
  });

  test('a sold domain is in no list', () => {
    const showing = [...whole].filter(([, content]) => content.includes('name3.app')).map(([file]) => file);
    assert.deepEqual(showing, ['/de/sites/name3.app/index.html', '/sites/name3.app/index.html']);
    const page = firstPageOf('name3.app');
    assert.match(page, /<title>name3\.app has been sold<\/title>/);
    assert.equal(page.match(/href="\/sites\/name\d+\.app\/"/g)?.length, 6);
    assert.match(page, /href="\/domains\/"/);
  });

  /** Addresses of the domains' pages in both languages. */
  const pagesOf = (...domains: number[]) =>
    domains.flatMap((n) => [`/sites/name${n}.app`, `/de/sites/name${n}.app`]).sort();

  // Each step goes on from the build of the one before, and writes the whole catalogue.
  test('builds one after another', { timeout: TIMEOUT_MS }, async (t) => {
    await t.test('a changed description and added domains render only the pages that show them', () => {
      write({ count: COUNT + 1, descriptions: { 10: 'A better description.' }, states: { 4: 'reserved' } });
      assert.deepEqual(build(), pagesOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 21, 22, 23, 24, 25, 26));
      assert.match(pageOf('name5.app'), /A better description\./);
      assert.ok(files().has('/de/sites/name26.app/index.html'));
      // For sale again: in all lists.
      assert.match(pageOf('name3.app'), /<title>name3\.app is for sale: make an offer/);
      assert.match(pageOf('name2.app'), /value="name3\.app"/);
      assert.match(pageOf('name4.app'), /<title>name4\.app is reserved<\/title>/);
      assert.ok(files().has('/share/name3.app.png'));
    });

    await t.test(
      'a build of few pages, after a domain was sold and another removed, has the output of a full build',
      () => {
        write(FIRST);
        assert.ok(build().length < 2 * COUNT);
        assertSame(files(), whole);
      },
    );

    await t.test(
      'a build killed among thousands of pages renders nothing more, and its pages are not reused',
      { timeout: 180_000 },
      async () => {
        write({ ...FIRST, count: 1500, descriptions: { 7: 'Never built.' } });
        const { child } = start('commands/build.ts');
        const cached = join(project.folder, '.astro/cache/dist/client/sites/name7.app/index.html');
        while (rendered() < 100 || !readFileSync(cached, 'utf8').includes('Never built')) await later(20);
        const page = readFileSync(cached, 'utf8');
        await kill(child);
        assert.ok(rendered() < 1000, `${rendered()} of 1,500 domains had their page`);
        // Beyond a thousand names all pages share one image.
        const images = [...page.matchAll(/https:\/\/name7\.app\/share\/[^"]+/g)].map(String);
        assert.ok(images.length >= 2);
        assert.deepEqual([...new Set(images)], ['https://name7.app/share/home.png']);

        // The next build, during which the catalogue is edited.
        write(FIRST);
        const before = written();
        rmSync(join(project.folder, 'read-at.txt'));
        const output = await buildAside('commands/build.ts', () => write(EDITED));
        // What is saved while a build reads may not be in it. The command has read once before, to report problems.
        const [, firstRead] = readFileSync(join(project.folder, 'read-at.txt'), 'utf8').split('\n');
        const { readAt } = JSON.parse(readFileSync(join(project.folder, 'dist/publication.json'), 'utf8'));
        assert.ok(Date.parse(readAt) <= Number(firstRead), `${readAt}, read at ${firstRead}`);
        assert.equal(changedSince(before).length, 2 * COUNT);
        assertSame(files(), whole);
        assert.match(output, /edited meanwhile: please build once more/);
        assert.equal(existsSync(join(project.folder, '.astro/cache/sources.txt')), false);
      },
    );

    await t.test(
      'after an edit during a build the next start builds all, a second one waits and has nothing to do; with no domain for sale, the pages have a notice and no form',
      async () => {
        // As after a power cut; build-site.test.ts damages each file alone.
        const policies = join(project.folder, 'dist/policies.json');
        writeFileSync(policies, '{"everywhere": "def');
        const before = written();
        const script = 'commands/build-if-needed.ts';
        const output = (await Promise.all([buildAside(script), buildAside(script)])).join('');
        assert.equal(output.match(/Another build is under way/g)?.length, 1);
        assert.equal(output.match(/^Built .* \(2 domains\)\.$/gm)?.length, 1, output);
        assert.equal(changedSince(before).length, 2 * 2);
        assert.equal(typeof JSON.parse(readFileSync(policies, 'utf8')), 'object');

        const page = textOf('index.html');
        assert.match(page, /<h1>No domains for sale at present<\/h1>/);
        assert.match(page, /<title>No domains for sale at present<\/title>/);
        assert.doesNotMatch(page, /<(?:form|script|input)|data-island/);
        const sold = pageOf('name0.app');
        assert.doesNotMatch(sold, /<form|Other domains|other domains/);
        assert.equal(sold.match(/<a /g)?.length, 2, 'the header’s link home and the other language');
      },
    );

    await t.test('an unreadable picture stops the build with its name, and the previous one stays', () => {
      const before = files();
      const own = join(project.folder, 'own');
      mkdirSync(own);
      writeFileSync(join(own, 'logo.png'), 'no picture');
      const { status, stderr } = tryToBuild();
      rmSync(own, { recursive: true });
      assert.equal(status, 1);
      assert.match(stderr, /own\/logo\.png {2}is no SVG, PNG or WebP picture: save it as one of these/);
      assert.match(stderr, /The pages could not be built/);
      assertSame(files(), before);
    });

    await t.test('an editor’s temporary file beside the catalogue triggers no build', () => {
      const { folder } = project;
      writeFileSync(join(folder, 'src/content/.catalogue.yaml.swp'), 'half a sentence');
      const { text } = runTool('commands/build-if-needed.ts', [], {}, folder);
      assert.doesNotMatch(text, /Building/);
    });

    await t.test('a killed build renders nothing more', { timeout: 60_000 }, async () => {
      write({ ...FIRST, descriptions: { 0: 'Never built.' } });
      const { child } = start('commands/build.ts');
      while (!rendererOf(child)) await later(5);
      await kill(child);
      assert.equal(rendered(), 0);
      assert.match(pageOf('name0.app'), /has been sold/);
      assert.doesNotMatch(pageOf('name0.app'), /Never built/);
    });
  });
});
