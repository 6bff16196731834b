import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { takeDataFolder } from './data-folder.ts';
import { migrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { COMPILE_ONCE } from './workarounds/compile-once.ts';

const root = mkdtempSync(join(tmpdir(), 'first-boot-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Copies of the data folder as kills would leave it, named by the number of the step. */
const SNAPSHOTS = join(root, 'snapshots');

/** A change to the file system: its call and the path in the data folder. */
interface Step {
  number: number;
  call: string;
  path: string;
}

/** @returns the steps up to the end, or to the one at which the boot was killed */
function boot(dataDir: string, killedAt?: number): Promise<Step[]> {
  const args = [
    join(import.meta.dirname, 'first-boot.fixture.ts'),
    dataDir,
    SNAPSHOTS,
    String(killedAt ?? 0),
  ];
  // A file and not a pipe, which makes a synchronous write fail (EAGAIN) while it is full.
  const printed = join(root, 'steps.txt');
  const stdout = openSync(printed, 'w');
  const options = ['--disable-warning=ExperimentalWarning', ...COMPILE_ONCE];
  const child = spawn(process.execPath, [...options, ...args], {
    stdio: ['ignore', stdout, 'ignore'],
  });
  closeSync(stdout);
  return new Promise((resolve) => {
    child.once('close', (_code, signal) => {
      const text = readFileSync(printed, 'utf8');
      assert.equal(signal, killedAt === undefined ? null : 'SIGKILL', text.slice(-500));
      const lines = text.matchAll(/^(\d+) (\w+) (.*)$/gm);
      resolve([...lines].map(([, number, call = '', path = '']) => ({ number: Number(number), call, path })));
    });
  });
}

/** Opens a folder as the next start does. */
async function assertUsable(dataDir: string, killedAt: Step): Promise<void> {
  const step = JSON.stringify(killedAt);
  const folder = await takeDataFolder(dataDir);
  try {
    const left = readdirSync(dataDir).filter((name) => name.startsWith('building-'));
    assert.deepEqual(left, [], step);
    if (!existsSync(folder.database)) return;
    const database = await openDatabase(folder, { ...folder.secrets, publishableKey: 'sb_publishable_t' });
    const { rows } = await database.sql.query('select 1 from supabase_migrations.schema_migrations');
    assert.equal(
      rows.length,
      migrations(join(import.meta.dirname, '../../supabase/migrations')).length,
      step,
    );
    await database.close();
  } catch (error) {
    throw new Error(`killed at ${step}`, { cause: error });
  } finally {
    folder.release();
  }
}

test('a start succeeds after a first boot that was killed at any step', {
  timeout: 300_000,
}, async () => {
  const whole = join(root, 'whole');
  const steps = await boot(whole);
  const isOfPGlite = ({ path }: Step) => /(?:^|\/)database\/./.test(path);
  const begin = steps.findIndex(isOfPGlite);
  const [before, since] = [steps.slice(0, begin), steps.slice(begin)];
  // PGlite's own steps are some thousands, alike to each other: the first and the middle one stand for all.
  const ofPGlite = since.filter(isOfPGlite);
  assert.ok(ofPGlite.length > 500, String(ofPGlite.length));
  const [first, middle] = [0, 0.5].map(
    (share) => ofPGlite[Math.round((ofPGlite.length - 1) * share)] as Step,
  );
  const rest = since.filter((step) => step.path !== '' && !isOfPGlite(step));
  assert.ok(before.length > 5 && rest.length > 1, JSON.stringify([before, rest]));
  for (const step of [...before, ...rest, first as Step]) {
    const dataDir = join(SNAPSHOTS, String(step.number));
    assert.ok(existsSync(dataDir) || step.number === 1, JSON.stringify(step));
    if (existsSync(dataDir)) await assertUsable(dataDir, step);
    rmSync(dataDir, { recursive: true, force: true });
  }
  // A kill also ends the lock.
  const killed = join(root, 'killed');
  assert.deepEqual((await boot(killed, middle?.number)).at(-1)?.number, middle?.number);
  await assertUsable(killed, middle as Step);
  assert.ok(readFileSync(join(whole, 'database/PG_VERSION'), 'utf8').startsWith('17'));
});
