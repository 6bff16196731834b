/** `npm run backup -- FILE`: writes the whole embedded database to a file, while the product runs. */
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { reportAndExit } from '../config/report-and-exit.ts';
import { UserError } from '../config/user-error.ts';
import { callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import { type CleanCopy, makeCleanCopy } from '../embedded-backend/clean-copy.ts';
import { OFFERS_HEADER } from '../embedded-backend/owner-tools.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { newFileArgument } from './file-argument.ts';
import { makeWorkFolder } from './work-folder.ts';
import { writeNewFile } from './write-new-file.ts';

try {
  const file = newFileArgument('npm run backup -- offers.backup');
  if (!file.endsWith('.backup'))
    throw new UserError('The file’s name must end in .backup, which the site never publishes.');
  await withDatabase(embeddedDataDir(), async (control) => {
    const response = await callTool(control, 'backup');
    const copy = await cleanCopyBeside(file, await response.blob());
    assertComplete(copy, response.headers.get(OFFERS_HEADER) ?? '');
    await writeNewFile(file, Readable.fromWeb(copy.archive.stream() as ReadableStream));
  });
  console.log(`Wrote ${file}. It holds personal data: keep it where only you can read it.`);
} catch (error) {
  reportAndExit(error);
}

/** Works in a folder beside the file, on the disk that needs the space anyway. Only its owner can read it. */
async function cleanCopyBeside(file: string, archive: Blob): Promise<CleanCopy> {
  const folder = await makeWorkFolder(file);
  try {
    return await makeCleanCopy(archive, folder.path);
  } catch (error) {
    throw new UserError(
      `No backup was written: the database could not be copied to ${dirname(file)} (${(error as Error).message}). ` +
        'Is its disk full? Make room, and run this again.',
    );
  } finally {
    folder.remove();
  }
}

/** @param counted number of offers that the database itself counted meanwhile: least-most */
function assertComplete({ offers }: CleanCopy, counted: string): void {
  const [least = Number.NaN, most = Number.NaN] = counted.split('-').map(Number);
  if (offers >= least && offers <= most) return;
  throw new UserError(
    `No backup was written: the copy has ${offers} offers, the database counted ${counted || 'none'}. ` +
      'Run this again; if it fails again, restart the product first.',
  );
}
