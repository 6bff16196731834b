/**
 * The build's share images: one for each domain and one for the page with nothing selected. A picture shows the name
 * and nothing else of its entry, so that a note of what all have in common tells which ones need not be made again.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shareImagePath } from '../src/found/share-image.ts';
import { type Look, readLook } from './share-image/look.ts';
import { paintAll } from './share-image/painters.ts';

export interface ShareImages {
  /**
   * Makes what is missing, removes what is for sale no more, and puts the folder into the site.
   * @param names every domain of the catalogue
   * @returns how many were made
   */
  make(names: readonly string[], signal?: AbortSignal): Promise<number>;
}

/** What is noted of the pictures in the folder. */
interface Note {
  /** Hash of all that they have in common. */
  common: string;
  files: string[];
}

/** While Astro builds, because it empties dist/ first. */
const ASIDE = '.astro/share';
const NOTE = '.astro/share.json';
const DRAWN_WITH = ['sharp', '@expo-google-fonts/inter'];
/** From so many pictures on, they are counted aloud. */
const MANY = 500;

/** Takes the last build's pictures aside. */
export function keepShareImages(dist: string): ShareImages {
  const place = join(dist, 'client', dirname(shareImagePath()));
  if (existsSync(place)) {
    rmSync(ASIDE, { recursive: true, force: true });
    mkdirSync(dirname(ASIDE), { recursive: true });
    renameSync(place, ASIDE);
  }
  return {
    make: async (names, signal) => {
      const made = await makeIn(ASIDE, names, signal);
      renameSync(ASIDE, place);
      return made;
    },
  };
}

async function makeIn(
  folder: string,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const look = readLook();
  const common = hashOfCommon(look);
  const wanted = new Map([undefined, ...names].map((name) => [basename(shareImagePath(name)), name]));
  const noted = readNote(common);
  const there = new Set(readdirSync(folder));
  for (const file of there) if (!wanted.has(file)) rmSync(join(folder, file));
  const right = [...wanted.keys()].filter((file) => there.has(file) && noted.has(file));
  const missing = [...wanted].filter(([file]) => !(there.has(file) && noted.has(file)));
  if (missing.length === 0) return 0;

  // Noted when they are whole, and not before: what an interrupted build leaves is made again.
  writeNote({ common, files: right });
  const pictures = missing.map(([file, name]) => ({ file: join(folder, file), ...(name ? { name } : {}) }));
  await paintAll({ look, pictures }, counter(pictures.length), signal);
  writeNote({ common, files: [...wanted.keys()] });
  return missing.length;
}

function readNote(common: string): Set<string> {
  const note = existsSync(NOTE) ? (JSON.parse(readFileSync(NOTE, 'utf8')) as Note) : undefined;
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
  hash.update(readFileSync('src/catalogue/shown-name.ts'));
  return hash.digest('base64url');
}

function counter(total: number): (done: number) => void {
  let count = 0;
  let told = 0;
  return (done) => {
    count += done;
    if (total < MANY || count - told < total / 20) return;
    told = count;
    console.log(`  ${count.toLocaleString('en-US')} share images`);
  };
}
