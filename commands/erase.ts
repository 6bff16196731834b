/** `npm run erase -- name@example.com [--yes]`: removes every offer of one customer, as the law may ask. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { confirm } from '../process/confirm.ts';
import type { Project } from '../server/backend-client/project.ts';
import { ERASURES_FILE, noteErasure } from '../server/embedded/erasures.ts';
import { withLeftDatabase, withProject } from '../server/embedded/with-project.ts';
import { backupFolder, copyErasures } from './backup/backup-erasures.ts';
import { countOffers } from './shared/count-offers.ts';
import { EMAIL, wrongEmail } from './shared/file-argument.ts';

const YES = '--yes';

export const run = commandOf(async (argv, io) => {
  // Not as options: a customer may have typed an email that begins with a dash.
  const given = argv.map((one) => one.trim()).filter((one) => one !== YES);
  const [email = ''] = given;
  if (!EMAIL.test(email) || given.length > 1) throw wrongEmail('npm run erase -- name@example.com', given);
  const settings = settingsOf(io);
  // Without a terminal it erases: scripts of owners do.
  const isAsked = io.stdin.isTTY && io.stdout.isTTY && !argv.includes(YES);
  const question = `Erase every offer of ${email}? That cannot be taken back.`;
  const { log, error } = consoleOf(io);
  if (isAsked && !(await confirm(question, { verb: 'erase', done: 'erased' }, io)))
    return void log('Nothing was erased.');
  const { dataDir } = settings;
  const isNoted = existsSync(join(dataDir, 'database'));
  // First, so that whatever interrupts the erasure, a restore repeats it.
  if (isNoted) await noteErasure(dataDir, email);
  const erase = (project: Project) => project.call('erase_customer', { email });
  // Another npm run transfer would take the rest to the project.
  const left = await withLeftDatabase(settings, erase, error);
  const erased = await withProject(settings, erase, error);
  const outcome =
    erased === 0
      ? 'There is no offer from that address. Backups made earlier may hold some'
      : `Erased ${countOffers(erased)}. Backups made earlier still hold them`;
  log(`${outcome}${isNoted && left === undefined ? `; ${describeReplay(dataDir)}` : '.'}`);
  if (left) log(`Erased ${countOffers(left)} in ${dataDir} as well.`);
});

if (import.meta.main) await runAsProcess(run);

/** Notes the erasure beside the backups too. */
function describeReplay(dataDir: string): string {
  const copy = `copy ${join(dataDir, ERASURES_FILE)} beside a backup before you restore it.`;
  const folder = backupFolder(dataDir);
  if (folder === undefined) return copy;
  try {
    copyErasures(dataDir, folder, true);
    return `restoring one from ${folder} erases them again.`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${copy} It could not be copied to ${folder} now (${code ?? message}).`;
  }
}
