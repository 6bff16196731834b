/** `npm run backup -- FILE`: writes the whole embedded database to a file, while the product runs. */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readSettings } from '../server/settings.ts';
import { ask, bodyOf, withDatabase } from '../supabase/local/running.ts';
import { fileArgument, mustNotExist } from './file-argument.ts';
import { sayAndExit } from './say-and-exit.ts';

try {
  const file = fileArgument('npm run backup -- offers.backup');
  mustNotExist(file);
  await withDatabase(readSettings().dataDir, async (control) => {
    const backup = await ask(control, 'backup');
    const draft = `${file}.draft`;
    try {
      await pipeline(bodyOf(backup), createWriteStream(draft, { mode: 0o600, flush: true }));
      mustNotExist(file);
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
  });
  console.log(`Wrote ${file}. It holds personal data: keep it where only you can read it.`);
} catch (error) {
  sayAndExit(error);
}
