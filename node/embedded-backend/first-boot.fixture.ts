/**
 * A first boot that is killed at one of its steps: `node first-boot.fixture.ts DATA_DIR [STEP]`. A step is a change to
 * the file system, counted from 1. Prints each step before it takes place: its number, the call, and the path in the
 * data folder. Without STEP the boot comes to its end. See first-boot.test.ts.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative, resolve } from 'node:path';

const [, , dataDir = '', killedAt = '0'] = process.argv;
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
const print = fs.writeSync.bind(fs);
let steps = 0;

for (const name of CHANGES) {
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const change = calls[name];
  if (!change) throw new Error(`node:fs has no ${name}`);
  calls[name] = (...args) => {
    const path = typeof args[0] === 'string' ? relative(dataDir, resolve(args[0])) : '';
    const isReading = name === 'openSync' && ['r', 0, undefined].includes(args[1] as string);
    if (!path.startsWith('..') && !isReading) {
      steps += 1;
      print(1, `${steps} ${name} ${path}\n`);
      if (steps === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
    }
    return change(...args);
  };
}
syncBuiltinESMExports();

const { takeDataFolder } = await import('./data-folder.ts');
const { openDatabase } = await import('./open-database.ts');
const folder = await takeDataFolder(dataDir);
const database = await openDatabase(folder, { ...folder.secrets, publishableKey: 'sb_publishable_t' });
await database.close();
folder.release();
