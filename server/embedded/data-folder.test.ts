import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { takeLock } from '../../process/lock-file.ts';
import { takeDataFolder } from './data-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'data-folder-'));
after(() => rmSync(root, { recursive: true, force: true }));

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(root, 'folder-'));
  chmodSync(path, 0o755);
});

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** Without the lock's own file, which SQLite has while it holds it. */
const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name !== 'lock-journal')
    .sort();

/** One run of the product on the folder. */
async function take(): Promise<{ jwtSecret: string }> {
  const folder = await takeDataFolder(path);
  folder.release();
  return folder.secrets;
}

/** Everything in a folder, with its content. */
function contentOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, statSync(file).isFile() ? readFileSync(file, 'utf8') : modeOf(file)]);
}

test('takeDataFolder accepts a new or empty folder, and closes it to other users', async () => {
  await take();
  assert.equal(modeOf(path), '700');
  assert.equal(modeOf(join(path, 'secrets.json')), '600');
  path = join(path, 'deep/new');
  await take();
  assert.equal(modeOf(path), '700');
});

test('takeDataFolder reports a folder that cannot be made', async () => {
  const impossible = process.platform === 'linux' ? '/proc/none/data' : '/dev/null/data';
  await assert.rejects(takeDataFolder(impossible), {
    name: 'UserError',
    message:
      /^The data folder \S+ cannot be written \(E\w+\)\. Make it writable for this user, or name another/,
  });
});

const OF_SOMETHING_ELSE: Record<string, () => void> = {
  'a folder with a file': () => writeFileSync(join(path, 'letter.txt'), 'precious'),
  'a folder with the lock of another program': () => {
    writeFileSync(join(path, 'lock'), '');
    mkdirSync(join(path, 'partial'));
  },
  'a folder with folders called building-…': () => {
    for (const name of ['building-plans', 'building-0123abcd']) {
      mkdirSync(join(path, name));
      writeFileSync(join(path, name, 'house.dwg'), 'precious');
    }
  },
  'a folder with keys of another kind': () =>
    writeFileSync(join(path, 'secrets.json'), '{"token":"precious"}'),
};

for (const [what, make] of Object.entries(OF_SOMETHING_ELSE)) {
  test(`${what} is rejected and left unchanged`, async () => {
    make();
    const before = contentOf(path);
    await assert.rejects(
      take(),
      /^UserError: The data folder \S+ holds files of something else\. Name an empty or a new folder with DATA_DIR\.$/,
    );
    assert.deepEqual(contentOf(path), before);
    assert.equal(modeOf(path), '755');
  });
}

test('takeDataFolder deletes only building folders that this program made', async () => {
  const { jwtSecret } = await take();
  const keep = ['building-plans', 'building-0123abcd', 'building-0123abcde', 'xbuilding-0123abcd'];
  for (const name of keep) {
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, name === 'building-0123abcd' ? 'house.dwg' : 'marker'), 'precious');
  }
  symlinkSync(root, join(path, 'building-aaaaaaaa'));
  for (const name of ['building-ffffffff', 'building-eeeeeeee']) mkdirSync(join(path, name));
  writeFileSync(join(path, 'building-ffffffff/marker'), '');
  mkdirSync(join(path, 'building-ffffffff/database'));
  assert.equal((await take()).jwtSecret, jwtSecret);
  assert.deepEqual(
    readdirSync(path)
      .filter((name) => name.includes('building'))
      .sort(),
    [...keep, 'building-aaaaaaaa'].sort(),
  );
  assert.ok(existsSync(root));
});

test('takeDataFolder accepts a folder with other files, a lost secrets file and keys copied there beforehand', async () => {
  const { jwtSecret } = await take();
  const keys = readFileSync(join(path, 'secrets.json'), 'utf8');
  for (const name of ['database', 'running.json', 'notes of the owner']) mkdirSync(join(path, name));
  assert.equal((await take()).jwtSecret, jwtSecret);
  rmSync(join(path, 'secrets.json'));
  assert.notEqual((await take()).jwtSecret, jwtSecret);

  path = mkdtempSync(join(root, 'folder-'));
  writeFileSync(join(path, 'secrets.json'), keys, { mode: 0o644 });
  assert.equal((await take()).jwtSecret, jwtSecret);
  assert.equal(modeOf(join(path, 'secrets.json')), '600');
});

test('takeDataFolder accepts the files of a start that was killed before it had keys', async () => {
  for (const name of ['lock', 'lock-journal']) writeFileSync(join(path, name), '');
  writeFileSync(join(path, 'secrets.json.4711.draft'), '{"jwt');
  mkdirSync(join(path, 'lost+found'));
  await take();
});

test('takeDataFolder reports what SQLite says where the folder cannot be locked', async () => {
  mkdirSync(join(path, 'lock'));
  await assert.rejects(
    take(),
    /^UserError: The data folder \S+ cannot be locked: unable to open database file\. This user has to/,
  );
  rmSync(join(path, 'lock'), { recursive: true });
  writeFileSync(join(path, 'lock'), 'no lock of SQLite '.repeat(100));
  await assert.rejects(
    take(),
    /^UserError: The data folder \S+ cannot be locked: file is not a database\. This user has to/,
  );
});

test('a damaged secrets file is reported by its path', async () => {
  await take();
  writeFileSync(join(path, 'secrets.json'), '{');
  await assert.rejects(take(), /^UserError: The file \S+secrets\.json is damaged\./);
  // Once it is mended, the next try of the same process has the folder.
  const release = await takeLock(join(path, 'lock'), 0);
  assert.ok(release, 'released');
  release();
});

test('build renames complete files, and leaves nothing after a failure', async () => {
  const folder = await takeDataFolder(path);
  await assert.rejects(
    folder.build(async (place) => {
      mkdirSync(place);
      writeFileSync(join(place, 'half'), '');
      throw new Error('disk full');
    }),
    /disk full/,
  );
  assert.deepEqual(namesIn(path), ['lock', 'secrets.json']);
  const made = await folder.build(async (place) => {
    mkdirSync(place);
    assert.equal(existsSync(folder.database), false);
    return 'made';
  });
  assert.equal(made, 'made');
  assert.deepEqual(namesIn(path), ['database', 'lock', 'secrets.json']);
  folder.release();
});
