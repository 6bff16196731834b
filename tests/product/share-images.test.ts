/** Chats and networks find a picture for every domain, and a build draws only those that are missing. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { BASE_ENV } from '../support/base-environment.ts';
import { copyOfProject } from '../support/product.ts';

const NODE = resolve('node_modules/.bin/node');
const LONGEST = `${'a'.repeat(62)}.`.repeat(4).slice(0, 249);

describe('share images', () => {
  const project = copyOfProject();
  after(() => project.remove());

  const write = (names: string[]) => {
    const entries = names.map(
      (name) => `  - { name: ${name}, price: $1, description: One., hasBroker: true }`,
    );
    const text = `settings:\n  brokerUrl: https://broker.example/{domain}\ndomains:\n${entries.join('\n')}\n`;
    writeFileSync(join(project.folder, 'src/content/catalogue.yaml'), text);
  };
  const options = { cwd: project.folder, env: BASE_ENV };
  const runBuild = () => {
    const { status, stdout, stderr } = spawnSync(NODE, ['node/commands/build.ts'], {
      ...options,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  /** Returns the number of images drawn. */
  const build = () => {
    const stdout = runBuild();
    return Number(/^Share images drawn: ([\d,]+)\.$/m.exec(stdout)?.[1]?.replace(',', ''));
  };
  const folder = join(project.folder, 'dist/client/share');
  const pictures = () => readdirSync(folder).sort();
  const mustBeWhole = async () => {
    for (const name of pictures()) {
      const image = sharp(join(folder, name), { failOn: 'warning' });
      const { format, width, height } = await image.metadata();
      assert.deepEqual({ format, width, height }, { format: 'png', width: 1200, height: 630 }, name);
      await image.stats();
    }
  };

  before(() => {
    write(['lap.app', 'xn--bcher-kva.example', `${LONGEST}.app`]);
    assert.equal(build(), 4);
  });

  test('share images are 1200 × 630, one per domain and one for the page with nothing selected', async () => {
    assert.equal(pictures().length, 4);
    for (const name of ['home.png', 'lap.app.png', 'xn--bcher-kva.example.png'])
      assert.ok(pictures().includes(name), name);
    await mustBeWhole();
  });

  test('the next build draws those of new names, keeps the others, and removes those of removed names', () => {
    const kept = join(folder, 'home.png');
    const { ino, mtimeMs } = statSync(kept);
    // It is linked again.
    rmSync(join(folder, 'lap.app.png'));
    write(['lap.app', 'new.example', `${LONGEST}.app`]);
    assert.equal(build(), 1);
    assert.equal(pictures().length, 4);
    assert.ok(pictures().includes('lap.app.png'));
    assert.ok(pictures().includes('new.example.png'));
    const now = statSync(kept);
    assert.deepEqual([now.ino, now.mtimeMs], [ino, mtimeMs]);
  });

  test('beyond a thousand names all pages share one image, and the build reports it', () => {
    write(Array.from({ length: 1_001 }, (_, n) => `name${n}.app`));
    assert.match(runBuild(), /^There are more than 1,000 names: all pages share one image\.$/m);
    assert.deepEqual(pictures(), ['home.png']);
    const page = readFileSync(join(project.folder, 'dist/client/sites/name7.app/index.html'), 'utf8');
    const addresses = [...page.matchAll(/https:\/\/name7\.app\/share\/[^"]+/g)].map(String);
    assert.ok(addresses.length >= 2);
    assert.deepEqual([...new Set(addresses)], ['https://name7.app/share/home.png']);
  });

  test('a build recovers from one that was killed while drawing', async () => {
    write(Array.from({ length: 20 }, (_, n) => `name${n}.app`));
    rmSync(join(project.folder, 'dist'), { recursive: true });
    const killed = spawn(NODE, ['node/commands/build.ts'], { ...options, stdio: 'ignore' });
    const ended = once(killed, 'exit');
    const cache = join(project.folder, '.builds/share');
    const isDrawing = () => readdirSync(cache).filter((name) => name.endsWith('.png')).length > 3;
    while (!isDrawing() && killed.exitCode === null) await new Promise((done) => setTimeout(done, 5));
    killed.kill('SIGKILL');
    await ended;
    assert.ok(!existsSync(folder), 'the build had ended before it was killed');

    assert.ok(build() < 21);
    assert.equal(pictures().length, 21);
    await mustBeWhole();
  });
});
