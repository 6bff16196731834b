/** Chats and networks find a picture for every domain, and a build draws only those that are missing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import sharp from 'sharp';

const LONGEST = `${'a'.repeat(62)}.`.repeat(4).slice(0, 249);
/** Of the build's files, in the folder of the test. */
const CLIENT = 'client';
const PICTURES = join(CLIENT, 'share');
const CACHE = '.builds/share';

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><path d="M0 0h40v10h-40z"/></svg>';

/** A module that draws the images in the folder of its process. */
const DRAW = `import { addShareImages } from ${JSON.stringify(resolve('site-builder/share-images.ts'))};
  await addShareImages(${JSON.stringify(CLIENT)});`;

/** The same, killed in the middle of writing the third image. */
const DRAW_TWO = `import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { writeFileSync } = fs;
  let images = 0;
  fs.writeFileSync = (file, bytes) => {
    if (file.includes('.png')) images += 1;
    if (images < 3) return writeFileSync(file, bytes);
    writeFileSync(file, bytes.subarray(0, bytes.length / 2));
    process.kill(process.pid, 'SIGKILL');
  };
  syncBuiltinESMExports();
  const { addShareImages } = await import(${JSON.stringify(resolve('site-builder/share-images.ts'))});
  await addShareImages(${JSON.stringify(CLIENT)});`;

const folder = mkdtempSync(join(tmpdir(), 'share-images-'));
for (const name of ['src', 'node_modules', 'package-lock.json'])
  symlinkSync(resolve(name), join(folder, name));
process.chdir(folder);
after(() => {
  process.chdir('/');
  rmSync(folder, { recursive: true });
});
mkdirSync('own');
beforeEach(() => rmSync(CACHE, { recursive: true, force: true }));

/** Begins to draw the images of a catalogue, as a build does in an empty folder. */
function start(names: string[], languages = ['en'], module = DRAW) {
  const domains = names.map((name) => ({ name, price: '$1', description: 'One.', hasBroker: true }));
  const settings = { brokerUrl: 'https://broker.example/{domain}', languages };
  // JSON is YAML.
  writeFileSync('own/catalogue.yaml', JSON.stringify({ settings, domains }));
  rmSync(CLIENT, { recursive: true, force: true });
  mkdirSync(CLIENT);
  const program = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', module];
  return spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function draw(...catalogue: Parameters<typeof start>): Promise<string> {
  const child = start(...catalogue);
  const [output] = await Promise.all([child.stdout.toArray(), once(child, 'close')]);
  assert.equal(child.exitCode, 0);
  return output.join('');
}

/** Returns the number of images drawn. */
async function drawnFor(...catalogue: Parameters<typeof start>): Promise<number> {
  return Number(/^Share images drawn: ([\d,]+)\.$/m.exec(await draw(...catalogue))?.[1]?.replace(',', ''));
}

const pictures = () => readdirSync(PICTURES).sort();

async function mustBeWhole(): Promise<void> {
  for (const name of pictures()) {
    const image = sharp(join(PICTURES, name), { failOn: 'warning' });
    const { format, width, height } = await image.metadata();
    assert.deepEqual({ format, width, height }, { format: 'png', width: 1200, height: 630 }, name);
    await image.stats();
  }
}

test('a build draws the images of new names, texts and logos, keeps the others, and removes those of removed names', async (context) => {
  assert.equal(await drawnFor(['lap.app', 'xn--bcher-kva.example', `${LONGEST}.app`]), 4);
  assert.equal(pictures().length, 4);
  for (const name of ['home.png', 'lap.app.png', 'xn--bcher-kva.example.png'])
    assert.ok(pictures().includes(name), name);
  await mustBeWhole();

  const { ino, mtimeMs } = statSync(join(PICTURES, 'home.png'));
  assert.equal(await drawnFor(['lap.app', 'new.example', `${LONGEST}.app`]), 1);
  assert.equal(pictures().length, 4);
  assert.ok(pictures().includes('lap.app.png'));
  assert.ok(pictures().includes('new.example.png'));
  const now = statSync(join(PICTURES, 'home.png'));
  assert.deepEqual([now.ino, now.mtimeMs], [ino, mtimeMs]);

  assert.equal(await drawnFor(['lap.app'], ['de']), 2, 'other texts');
  writeFileSync('own/logo.svg', LOGO);
  context.after(() => rmSync('own/logo.svg'));
  assert.equal(await drawnFor(['lap.app'], ['de']), 2, 'a logo');
});

test('beyond a thousand names there is one image, and the build reports it', async () => {
  const output = await draw(Array.from({ length: 1_001 }, (_, n) => `name${n}.app`));
  assert.match(output, /^There are more than 1,000 names: all pages share one image\.$/m);
  assert.deepEqual(pictures(), ['home.png']);
});

test('a build recovers from one that was killed while drawing', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `name${n}.app`);
  const killed = start(names, ['en'], DRAW_TWO);
  assert.deepEqual(await once(killed, 'exit'), [null, 'SIGKILL']);
  assert.deepEqual(pictures(), []);

  assert.equal(await drawnFor(names), 9);
  assert.equal(pictures().length, 11);
  await mustBeWhole();
});
