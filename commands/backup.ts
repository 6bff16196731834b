/**
 * `npm run backup -- FILE.backup`: writes the whole embedded database to a file, while the product runs.
 * `npm run backup -- --keep NUMBER FOLDER`: writes it to a dated file there, then removes the oldest beyond the number.
 */
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { readOptions } from '../process/read-options.ts';
import { messageFor } from '../process/report-and-exit.ts';
import { UserError } from '../process/user-error.ts';
import { type Control, callControl, withDatabase } from '../server/embedded/call-control.ts';
import { type CleanCopy, makeCleanCopy } from '../server/embedded/clean-copy.ts';
import { OFFERS_HEADER } from '../server/embedded/control.ts';
import { reasonOf } from '../server/embedded/reason-of.ts';
import { copyErasures, rememberBackupFolder } from './backup/backup-erasures.ts';
import { datedBackups, datedName, EXAMPLE_OF_DATED, removeOldest } from './backup/dated-backups.ts';
import { copyFactors } from './backup/noted-factors.ts';
import { withWorkFolder } from './backup/work-folder.ts';
import { embeddedDataDir } from './shared/embedded-data-dir.ts';
import { newFileArgument } from './shared/file-argument.ts';
import { writeNewFile } from './shared/write-new-file.ts';

const EXAMPLE = 'npm run backup -- offers.backup';

export const run = commandOf(async (args, io) => {
  const { values, positionals } = readOptions(
    { args, options: { keep: { type: 'string' } }, allowPositionals: true },
    `Please name one file, like this: ${EXAMPLE}, or how many to keep: ${EXAMPLE_OF_DATED}`,
  );
  const dated = datedBackups(values.keep, positionals, io.cwd());
  const file = dated ? join(dated.folder, datedName()) : newFileArgument(EXAMPLE, positionals, io.cwd());
  if (!file.endsWith('.backup'))
    throw new UserError('The file’s name must end in .backup, which the site never publishes.');
  const dataDir = embeddedDataDir(io);
  const { log, error: report } = consoleOf(io);
  const backUp = (control: Control) =>
    withWorkFolder(file, async (folder) => {
      const { archive, counted } = await callControl(control, 'backup', async (response) => ({
        archive: await response.blob(),
        counted: response.headers.get(OFFERS_HEADER) ?? '',
      }));
      const copy = await copyIn(folder, archive);
      assertComplete(copy, counted);
      const content = Readable.fromWeb(copy.archive.stream() as ReadableStream);
      // No other run would meet the draft of a dated file, so it is where a later run removes what a kill left.
      await writeNewFile(file, content, dated && join(folder, 'draft'));
    });
  await withDatabase(dataDir, backUp, { report });
  // First, so that a disk does not fill up with the backups of nights on which the rest fails.
  const removed = dated ? removeOldest(dated, basename(file)) : 0;
  try {
    copyErasures(dataDir, dirname(file), dated !== undefined);
    copyFactors(dataDir, dirname(file));
    if (dated) rememberBackupFolder(dataDir, dated.folder);
  } catch (error) {
    throw new UserError(`Wrote ${file}, but ${messageFor(error) ?? error}`);
  }
  const older = removed > 0 ? ` and removed ${removed === 1 ? 'the oldest' : `the ${removed} oldest`}` : '';
  log(`Wrote ${file}${older}. It holds personal data: keep it where only you can read it.`);
});

async function copyIn(folder: string, archive: Blob): Promise<CleanCopy> {
  try {
    return await makeCleanCopy(archive, folder);
  } catch (error) {
    throw new UserError(
      `No backup was written: the database could not be copied to ${dirname(folder)}: ${reasonOf(error)}. ` +
        'Correct that, and run this again. Earlier backups are as they were.',
    );
  }
}

/**
 * @param counted number of offers that the database itself counted meanwhile: least-most
 * @throws UserError where the copy has another number
 */
export function assertComplete({ offers }: Pick<CleanCopy, 'offers'>, counted: string): void {
  const [least = Number.NaN, most = Number.NaN] = counted.split('-').map(Number);
  if (offers >= least && offers <= most) return;
  throw new UserError(
    `No backup was written: the copy has ${offers} offers, the database counted ${counted || 'none'}. ` +
      'Run this again; if it fails again, restart the product first.',
  );
}

if (import.meta.main) await runAsProcess(run);
