/** `npm run restore -- FILE [--yes]`: makes the embedded database from a backup, in a data folder that has none yet. */
import { createReadStream, existsSync, openAsBlob, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { confirm } from '../process/confirm.ts';
import { readOptions } from '../process/read-options.ts';
import { UserError } from '../process/user-error.ts';
import { countOffers as countAll, withArchive } from '../server/embedded/clean-copy.ts';
import { takeDataFolder } from '../server/embedded/data-folder.ts';
import {
  ERASURES_FILE,
  type Erasure,
  mergeErasures,
  readErasures,
  writeErasures,
} from '../server/embedded/erasures.ts';
import { assertNotNewer, fold } from '../server/embedded/migrate.ts';
import { readRow } from '../server/embedded/read-row.ts';
import { reasonOf } from '../server/embedded/reason-of.ts';
import { replayErasures } from '../server/embedded/replay-erasures.ts';
import { endSessions } from '../server/embedded/sessions.ts';
import { notedFactors } from './backup/noted-factors.ts';
import { countOffers } from './shared/count-offers.ts';
import { embeddedDataDir } from './shared/embedded-data-dir.ts';
import { fileArgument } from './shared/file-argument.ts';

const EXAMPLE = 'npm run restore -- offers.backup';

export const run = commandOf(async (args, io) => {
  const { values, positionals } = readOptions(
    { args, options: { yes: { type: 'boolean', default: false } }, allowPositionals: true },
    `Please name one file, like this: ${EXAMPLE}. --yes restores without a question.`,
  );
  const file = fileArgument(EXAMPLE, positionals, io.cwd());
  if (!existsSync(file)) throw new UserError(`There is no file ${file}.`);
  // A pipe would be waited for without an end.
  if (!statSync(file).isFile())
    throw new UserError(`${file} is not a file. Name one that npm run backup wrote.`);
  const dataDir = embeddedDataDir(io);
  const { log } = consoleOf(io);
  // Those in the data folder may be newer than those beside the backup, which may be named by a link.
  const folders = [dirname(file), dirname(realpathSync(file)), dataDir];
  const found = folders.map(readErasures).filter((list) => list !== undefined);
  // Beside the backup there are those up to the last copy alone.
  const mayLackNotes = readErasures(dataDir) === undefined;
  const erasures = mergeErasures(...found);
  const factors = notedFactors(folders);
  const { offers, paused, deleted, links } = await restore(file, dataDir, erasures, (without) =>
    confirmFactors(
      without.filter((email) => factors.includes(email)),
      values.yes,
      io,
    ),
  );
  log(
    `Restored ${countOffers(offers)} to ${dataDir}. ${describeErasures(deleted)} ` +
      'Start the product with npm start.',
  );
  if (paused > 0) {
    log(
      `${paused === 1 ? '1 message is' : `${paused} messages are`} held back, which may have been sent after the backup. ` +
        'To send: npm run messages -- resume',
    );
  }
  if (links > 0) {
    log(
      `Links of buyers: ${links}, as they were at the backup: those that New link ended after it open again. ` +
        'If one leaked, end it in the dashboard with New link.',
    );
  }

  function describeErasures(deleted: number): string {
    if (found.length === 0) {
      return (
        `Found no ${ERASURES_FILE} beside the backup: ` +
        'customers who were erased after it are in the database again (npm run erase).'
      );
    }
    const count = erasures.length;
    const replayed =
      count === 0
        ? 'Found no erasures to replay.'
        : `Replayed ${count === 1 ? '1 erasure' : `${count} erasures`}, which deleted ${countOffers(deleted)}.`;
    const isNotedSince = erasures.some(({ erasedAt }) => Date.parse(erasedAt) > statSync(file).mtimeMs);
    if (!mayLackNotes || isNotedSince) return replayed;
    return (
      `${replayed} Notes of erasures after the backup are missing: ${dataDir} had no ${ERASURES_FILE}, and the one beside ` +
      'the backup has none as late. Customers who were erased since are in the database again (npm run erase).'
    );
  }
});

/** Numbers of the offers, of those deleted because their customers were erased after the backup, of held messages, and of links. */
type Restored = Record<'offers' | 'deleted' | 'paused' | 'links', number>;

/** Gets the emails of the administrators without a second factor. @throws UserError where the restore is not wanted */
type ConfirmFactors = (without: readonly string[]) => Promise<void>;

async function restore(
  file: string,
  dataDir: string,
  erasures: readonly Erasure[],
  confirmFactors: ConfirmFactors,
): Promise<Restored> {
  const folder = await takeDataFolder(dataDir);
  try {
    if (existsSync(folder.database)) {
      throw new UserError(
        `${dataDir} has a database already, and it is not written over. Move that folder away, or set DATA_DIR.`,
      );
    }
    const bytes = await unpackedSize(file);
    return await folder.build(async (place) => {
      const restored = await unpack(file, place, erasures, confirmFactors).catch((error) => {
        if (error instanceof UserError) throw error;
        throw new UserError(
          `${file} could not be unpacked in ${dataDir}: ${reasonOf(error)}. It takes ${Math.ceil(bytes / 1e6)} MB and ` +
            'some more there, and has to be a backup made by npm run backup.',
        );
      });
      // Before the database is there, so that none is ever there without them.
      if (erasures.length > 0) writeErasures(dataDir, erasures);
      return restored;
    });
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
    if (!code.startsWith('Z_')) throw new UserError(`${file} could not be read (${code}).`);
    throw new UserError(`${file} is not a backup made by npm run backup, or it is damaged.`);
  }
  return bytes;
}

/** Opens the backup once, to reject a file that is no backup. */
async function unpack(
  file: string,
  place: string,
  erasures: readonly Erasure[],
  confirmFactors: ConfirmFactors,
): Promise<Restored> {
  return await withArchive(await openAsBlob(file), place, async (database) => {
    await assertNotNewer(database, file);
    await fold(
      database,
      `The database of ${file}`,
      'restore this with it, start it, and make the backup again.',
    );
    const deleted = await replayErasures(database, erasures, place);
    const offers = await countAll(database);
    // Users may have signed out or changed passwords after the backup.
    await endSessions(database);
    await confirmFactors(await useUpCodes(database));
    return { offers, deleted, paused: await pauseMessages(database), links: await countLinks(database) };
  });
}

/**
 * Recovery codes of the backup may have been used since, and so may codes up to now.
 * @returns the emails of the administrators without a factor
 */
async function useUpCodes(sql: PGlite): Promise<string[]> {
  await sql.exec(`update private.admin_factors set recovery_hashes = '{}',
    last_step = greatest(last_step, floor(extract(epoch from now()) / 30)::bigint)`);
  const { rows } = await sql.query<{ email: string }>(
    `select u.email from private.admins a join auth.users u on u.id = a.user_id
     where not exists (select from private.admin_factors f where f.user_id = a.user_id)
     order by a.created_at, a.user_id`,
  );
  return rows.map(({ email }) => email);
}

/** Asks where an administrator had a factor that the backup lacks. @throws UserError where the restore is not wanted */
async function confirmFactors(lacking: readonly string[], yes: boolean, io: Io): Promise<void> {
  if (lacking.length === 0) return;
  consoleOf(io).log(
    `The backup lacks the second factor of ${lacking.join(', ')}: the password alone signs in, until you run ` +
      'npm run admin -- factor EMAIL.',
  );
  if (!yes && !(await confirm('Restore it?', { verb: 'restore', done: 'restored' }, io))) {
    throw new UserError('Nothing was restored.');
  }
}

/**
 * Holds back the messages of a backup, which may have been sent since it was made.
 * @returns the number of messages that are held back
 */
async function pauseMessages(sql: PGlite): Promise<number> {
  await sql.exec('select public.pause_messages()');
  const statement = `select count(*)::integer as paused from private.messages m, private.message_state s
    where m.sent_at is null and m.failed_at is null and m.created_at < s.paused_before`;
  return (await readRow<{ paused: number }>(sql, statement)).paused;
}

/** Links of buyers stay, because buyers hold them. Which of them open is known once a start has updated the database. */
async function countLinks(sql: PGlite): Promise<number> {
  const statement = 'select count(*)::integer as links from private.offer_links';
  return (await readRow<{ links: number }>(sql, statement)).links;
}

if (import.meta.main) await runAsProcess(run);
