/** Finds systemd units that run the product by a file of version 0.2: an update leaves them as they are. */
import { globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { isInside } from '../../config/clone-folders.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Where owners install units: those of the system, and those of a user. */
const UNIT_FOLDERS = ['/etc/systemd/system', join(homedir(), '.config/systemd/user')];

const OLD_FILE = /(?<![\w.-])node\/(commands\/(?:start|backup)\.ts)/;

/** Absolute paths: whole values, such as `WorkingDirectory=/srv/my shop`; in quotes; single words. */
const PATHS = [/=(\/.*)$/gm, /"(\/[^"]*)"/g, /(?:^|[\s=])(\/\S*)/gm];

/** @param project the clone. Units that do not name it are left out. @param folders of units; they need not exist */
export function checkUnits(project: string, folders: readonly string[] = UNIT_FOLDERS): Finding[] {
  const units = folders.flatMap((folder) => filesIn(folder, '*.service'));
  return units.flatMap((unit) => checkUnit(unit, project));
}

function checkUnit(unit: string, project: string): Finding[] {
  // `systemctl edit` writes beside a unit what replaces its lines.
  const files = [unit, ...filesIn(`${unit}.d`, '*.conf')];
  const lines = files.flatMap((file) => readUnit(file).map((line) => ({ file, line })));
  const text = lines.map(({ line }) => line).join('\n');
  const paths = PATHS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path));
  if (!paths.some((path) => isInside(path, project))) return [];
  const reset = lines.findLastIndex(({ line }) => /^ExecStart=\s*$/.test(line));
  return lines.slice(reset + 1).flatMap(({ file, line }): Finding[] => {
    const [old] = OLD_FILE.exec(line) ?? [];
    if (old === undefined) return [];
    const reload = `systemctl ${file.startsWith(homedir()) ? '--user ' : ''}daemon-reload`;
    const message = `It runs ${old}, which goes with version 0.4. Write this in ${file}, then run ${reload}: ${line.replace(OLD_FILE, '$1')}`;
    return [{ ...findingsOf('units').warn(message), subject: basename(unit) }];
  });
}

function filesIn(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder })
    .sort()
    .map((name) => join(folder, name));
}

/** Its lines without comments; none where it may not be read. `%h` is the home folder. */
function readUnit(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').replaceAll('%h', homedir()).split('\n');
    return lines.filter((line) => !/^\s*[#;]/.test(line));
  } catch {
    return [];
  }
}
