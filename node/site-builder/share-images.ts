/**
 * Builds the share images: one per domain and one for the page with nothing selected. An image shows only the name of its
 * entry, so that a hash of everything else shows whether existing images can be reused.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shareImagePath } from '../../src/seo/share-image.ts';
import { UserError } from '../config/user-error.ts';
import { readJson } from '../manifest/read-json.ts';
import { reportProgress } from './progress.ts';
import type { Order } from './share-image/draw.ts';
import { type ImageLook, readImageLook } from './share-image/look.ts';

export interface ShareImages {
  /** Number of images drawn by this build. */
  readonly drawn: number;
  /** Links the last build's images into the new build, except those of removed domains, and moves the new ones there. */
  addTo(next: string): void;
  /** Called when the new build is the last one, so that the next build draws the images of a killed one again. */
  markComplete(): void;
}

/** The images that are complete. */
interface ShareImagesManifest {
  /** Hash of everything they have in common. */
  common: string;
  files: string[];
}

/** New images, until they are moved into the build, which must be on the same mount. */
const DRAWN = '.builds/share';
const MANIFEST = '.astro/share.json';
const CODE_ELSEWHERE = ['src/catalogue/shown-name.ts', 'src/seo/inter.ts', 'src/seo/fonts.conf'];
const DRAWN_WITH = ['sharp', '@expo-google-fonts/inter'];

/**
 * Draws the images that the last build does not have.
 * @param dist the last build, which stays as it is
 * @param names every domain with its own image
 */
export async function makeShareImages(
  dist: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<ShareImages> {
  const look = readImageLook();
  const common = hashOfCommon(look);
  const wanted = new Map([undefined, ...names].map((name) => [basename(shareImagePath(name)), name]));
  const manifest = readJson<ShareImagesManifest>(MANIFEST);
  const stored = new Set(manifest?.common === common ? manifest.files : []);
  const place = join('client', dirname(shareImagePath()));
  const last = join(dist, place);
  const existing = new Set(existsSync(last) ? readdirSync(last) : []);
  const reusable = existing.intersection(stored);
  const current = [...wanted.keys()].filter((file) => reusable.has(file));
  const pictures = [...wanted]
    .filter(([file]) => !reusable.has(file))
    .map(([file, name]) => ({ file: join(DRAWN, file), ...(name && { name }) }));

  rmSync(DRAWN, { recursive: true, force: true });
  mkdirSync(DRAWN, { recursive: true });
  if (pictures.length > 0) {
    writeManifest({ common, files: current });
    await drawAll({ look, pictures }, signal);
  }
  return {
    drawn: pictures.length,
    addTo: (next) => {
      const folder = join(next, place);
      mkdirSync(folder, { recursive: true });
      for (const file of current) linkSync(join(last, file), join(folder, file));
      for (const file of readdirSync(DRAWN)) renameSync(join(DRAWN, file), join(folder, file));
    },
    markComplete: () => writeManifest({ common, files: [...wanted.keys()] }),
  };
}

function writeManifest(manifest: ShareImagesManifest): void {
  writeFileSync(`${MANIFEST}.new`, JSON.stringify(manifest));
  renameSync(`${MANIFEST}.new`, MANIFEST);
}

/** Hashes messages and colours, the drawing code, and the versions of its packages. */
function hashOfCommon(look: ImageLook): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const versions = DRAWN_WITH.map((name) => packages[`node_modules/${name}`].version);
  const hash = createHash('sha256').update(JSON.stringify([look, versions]));
  const code = join(import.meta.dirname, 'share-image');
  const files = readdirSync(code).filter((name) => !name.endsWith('.test.ts'));
  for (const file of files.sort()) hash.update(readFileSync(join(code, file)));
  for (const file of CODE_ELSEWHERE) hash.update(readFileSync(file));
  return hash.digest('base64url');
}

/** @throws UserError if one could not be drawn */
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
  if (code !== 0) throw new UserError('Could not draw the share images (see the log above).');
}
