/**
 * Preloaded into a product: kills its process when a file of the name in KILL_AT_RENAME is about to be put in its place, and
 * a file of that path with the ending .kill is there.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { renameSync } = fs;
const name = process.env.KILL_AT_RENAME;
fs.renameSync = (from, to) => {
  if (name && String(to).endsWith(name) && fs.existsSync(`${to}.kill`)) process.kill(process.pid, 'SIGKILL');
  renameSync(from, to);
};
syncBuiltinESMExports();
