import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { renameSync } = fs;

/** Calls `before` and `after` around each renaming of a file, with its new path. @returns ends that */
export function aroundRename(before: (path: string) => void, after: (path: string) => void = () => {}) {
  fs.renameSync = (from, to) => {
    before(String(to));
    renameSync(from, to);
    after(String(to));
  };
  syncBuiltinESMExports();
  return () => {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  };
}
