/** `npm run restore -- FILE`: makes the embedded database from a backup, in a data folder that has none yet. */
import { createReadStream, existsSync, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { reportAndExit } from '../config/report-and-exit.ts';
import { UserError } from '../config/user-error.ts';
import { takeDataFolder } from '../embedded-backend/data-folder.ts';
import { EXTENSIONS } from '../embedded-backend/extensions.ts';
import { pauseMessages } from '../embedded-backend/message-tools.ts';
import { endSessions } from '../embedded-backend/sessions.ts';
import { countOffers } from './count-offers.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { fileArgument } from './file-argument.ts';

try {
  const file = fileArgument('npm run restore -- offers.backup');
  if (!existsSync(file)) throw new UserError(`There is no file ${file}.`);
  const dataDir = embeddedDataDir();
  const { offers, paused } = await restore(file, dataDir);
  console.log(`Restored ${countOffers(offers)} to ${dataDir}. Start the product with npm start.`);
  if (paused > 0) {
    console.log(
      `${paused === 1 ? '1 message is' : `${paused} messages are`} held back, which may have been sent after the backup. ` +
        'To send: npm run messages -- resume',
    );
  }
} catch (error) {
  reportAndExit(error);
}

interface Restored {
  readonly offers: number;
  /** Messages that are held back. */
  readonly paused: number;
}

async function restore(file: string, dataDir: string): Promise<Restored> {
  const folder = await takeDataFolder(dataDir);
  try {
    if (existsSync(folder.database)) {
      throw new UserError(
        `${dataDir} has a database already, and it is not written over. Move that folder away, or set DATA_DIR.`,
      );
    }
    const bytes = await unpackedSize(file);
    return await folder.build((place) => unpack(file, place, dataDir, bytes));
  } finally {
    folder.release();
  }
}

/** Unpacked size of an archive, in bytes. Reads to its end, to distinguish a damaged archive from a full disk. */
async function unpackedSize(file: string): Promise<number> {
  let bytes = 0;
  try {
    await pipeline(createReadStream(file), createGunzip(), async (content) => {
      for await (const chunk of content) bytes += chunk.length;
    });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw new UserError(`${file} cannot be read (${code}).`);
    throw new UserError(`${file} is not a backup made by npm run backup, or it is damaged.`);
  }
  return bytes;
}

/** Opens the backup once, to reject a file that is no backup. */
async function unpack(file: string, place: string, dataDir: string, bytes: number): Promise<Restored> {
  try {
    const database = await PGlite.create(place, {
      loadDataDir: await openAsBlob(file),
      extensions: EXTENSIONS,
    });
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::integer as count from public.offers',
    );
    // Users may have signed out or changed passwords after the backup.
    await endSessions(database);
    const paused = await pauseMessages(database);
    await database.close();
    return { offers: rows[0]?.count ?? 0, paused };
  } catch {
    // PGlite's errors do not distinguish the two.
    throw new UserError(
      `${file} could not be unpacked in ${dataDir}. Is its disk full? It takes ${Math.ceil(bytes / 1e6)} MB ` +
        'and some more. If there is room, the file is no backup made by npm run backup.',
    );
  }
}
