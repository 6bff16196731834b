/** Preloaded into a product: kills its process when a file of the name in KILL_AT_RENAME is about to be put in its place. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { renameSync } = fs;
const name = process.env.KILL_AT_RENAME;
fs.renameSync = (from, to) => {
  if (name && String(to).endsWith(name)) process.kill(process.pid, 'SIGKILL');
  renameSync(from, to);
};
syncBuiltinESMExports();
