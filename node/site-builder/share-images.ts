/**
 * The build's share images: one for each domain and one for the page with nothing selected. A picture shows the name
 * and nothing else of its entry, so that a note of what all have in common tells which ones need not be made again.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shareImagePath } from '../../src/seo/share-image.ts';
import { SettingError } from '../config/user-error.ts';
import { readJson } from '../manifest/read-json.ts';
import { reportProgress } from './progress.ts';
import type { Order } from './share-image/draw.ts';
import { type Look, readLook } from './share-image/look.ts';

export interface ShareImages {
  /** How many had to be drawn. */
  readonly drawn: number;
  /** Moves the last build's pictures and the new ones into the new build, and leaves out what is for sale no more. */
  moveTo(next: string): void;
}

/** What is noted of the pictures in the folder. */
interface Note {
  /** Hash of all that they have in common. */
  common: string;
  files: string[];
}

/** New pictures, until they are moved. */
const DRAWN = '.astro/share';
const NOTE = '.astro/share.json';
const CODE_ELSEWHERE = ['src/catalogue/shown-name.ts', 'src/seo/inter.ts', 'src/seo/fonts.conf'];
const DRAWN_WITH = ['sharp', '@expo-google-fonts/inter'];

/**
 * Draws the pictures that the last build does not have.
 * @param dist the last build, which stays as it is until `moveTo`
 * @param names every domain that has a picture of its own
 */
export async function makeShareImages(
  dist: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<ShareImages> {
  const look = readLook();
  const common = hashOfCommon(look);
  const wanted = new Map([undefined, ...names].map((name) => [basename(shareImagePath(name)), name]));
  const stored = readNoted(common);
  const place = join('client', dirname(shareImagePath()));
  const last = join(dist, place);
  const there = new Set(existsSync(last) ? readdirSync(last) : []);
  const isRight = (file: string) => there.has(file) && stored.has(file);
  const missing = [...wanted].filter(([file]) => !isRight(file));

  rmSync(DRAWN, { recursive: true, force: true });
  mkdirSync(DRAWN, { recursive: true });
  if (missing.length > 0) {
    // Noted when they are whole and in their place, and not before: what an interrupted build leaves is made again.
    writeNote({ common, files: [...wanted.keys()].filter(isRight) });
    const pictures = missing.map(([file, name]) => ({ file: join(DRAWN, file), ...(name ? { name } : {}) }));
    await drawAll({ look, pictures }, signal);
  }
  return {
    drawn: missing.length,
    moveTo: (next) => {
      const folder = join(next, place);
      if (existsSync(last)) renameSync(last, folder);
      else mkdirSync(folder, { recursive: true });
      for (const file of readdirSync(folder)) if (!wanted.has(file)) rmSync(join(folder, file));
      for (const file of readdirSync(DRAWN)) renameSync(join(DRAWN, file), join(folder, file));
      writeNote({ common, files: [...wanted.keys()] });
    },
  };
}

function readNoted(common: string): Set<string> {
  const note = readJson<Note>(NOTE);
  return new Set(note?.common === common ? note.files : []);
}

function writeNote(note: Note): void {
  writeFileSync(`${NOTE}.new`, JSON.stringify(note));
  renameSync(`${NOTE}.new`, NOTE);
}

/** Of words and colours, the code that draws, and the versions of what it draws with. */
function hashOfCommon(look: Look): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const versions = DRAWN_WITH.map((name) => packages[`node_modules/${name}`].version);
  const hash = createHash('sha256').update(JSON.stringify([look, versions]));
  const code = join(import.meta.dirname, 'share-image');
  const files = readdirSync(code).filter((name) => !name.endsWith('.test.ts'));
  for (const file of files.sort()) hash.update(readFileSync(join(code, file)));
  for (const file of CODE_ELSEWHERE) hash.update(readFileSync(file));
  return hash.digest('base64url');
}

/** @throws SettingError if one could not be drawn */
async function drawAll(order: Order, signal: AbortSignal | undefined): Promise<void> {
  const { PATH, HOME } = process.env;
  const child = fork(join(import.meta.dirname, 'share-image/draw.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { PATH, HOME },
    ...(signal ? { signal } : {}),
  });
  child.on('message', reportProgress(order.pictures.length, 'share images'));
  child.send(order);
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)));
  if (signal?.aborted) process.exit(0);
  if (code !== 0) throw new SettingError('Could not draw the share images (see the log above).');
}
