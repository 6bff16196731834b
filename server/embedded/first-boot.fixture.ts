/**
 * A boot: `node first-boot.fixture.ts DATA_DIR SNAPSHOTS [STEP [STEPS]]`. A step is a change to the file system, counted
 * from 1. Prints each step before it takes place: its number, the call, and the path in the data folder. With STEP the
 * process kills itself there. Without it (0) the boot comes to its end, and SNAPSHOTS/N is a copy of the data folder as a
 * kill at step N would leave it: for each of STEPS, as in 10,20; without them, for each step that is not one of PGlite's
 * own, and for the first one that is. All steps are synchronous calls, so that nothing is buffered in the process. See
 * first-boot.test.ts and fold.test.ts.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative, resolve } from 'node:path';

const [, , dataDir = '', snapshots = '', killedAt = '0', copied] = process.argv;
const CHANGES = [
  'mkdirSync',
  'openSync',
  'writeSync',
  'writeFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'chmodSync',
];
const COPIED = copied?.split(',').map(Number);
const IN_DATABASE = /(?:^|\/)database\/./;
const print = fs.writeSync.bind(fs);
const copy = fs.cpSync.bind(fs);
let steps = 0;
let isPGliteAtWork = false;

for (const name of CHANGES) {
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const change = calls[name];
  if (!change) throw new Error(`node:fs has no ${name}`);
  calls[name] = (...args) => {
    const path = typeof args[0] === 'string' ? relative(dataDir, resolve(args[0])) : '';
    const isReading = name === 'openSync' && ['r', 0, undefined].includes(args[1] as string);
    if (!path.startsWith('..') && !isReading) takeStep(name, path);
    return change(...args);
  };
}
syncBuiltinESMExports();

function takeStep(name: string, path: string): void {
  steps += 1;
  print(1, `${steps} ${name} ${path}\n`);
  if (steps === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
  // PGlite writes by file descriptors, which have no path here.
  const isOfPGlite = IN_DATABASE.test(path) || (path === '' && isPGliteAtWork);
  const isToCopy = COPIED?.includes(steps) ?? !(isOfPGlite && isPGliteAtWork);
  if (killedAt === '0' && isToCopy && fs.existsSync(dataDir)) {
    copy(dataDir, join(snapshots, String(steps)), { recursive: true });
  }
  isPGliteAtWork ||= isOfPGlite;
}

const { takeDataFolder } = await import('./data-folder.ts');
const { openDatabase } = await import('./open-database.ts');
const folder = await takeDataFolder(dataDir);
const database = await openDatabase(folder, { ...folder.secrets, publishableKey: 'sb_publishable_t' });
await database.close();
folder.release();
