/** `npm run backup -- FILE`: writes the whole embedded database to a file, while the product runs. */
import { ask, bodyOf, withDatabase } from '../supabase/local/running.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { fileArgument, mustNotExist } from './file-argument.ts';
import { sayAndExit } from './say-and-exit.ts';
import { writeNewFile } from './write-new-file.ts';

try {
  const file = fileArgument('npm run backup -- offers.backup');
  mustNotExist(file);
  await withDatabase(embeddedDataDir(), async (control) => {
    await writeNewFile(file, bodyOf(await ask(control, 'backup')));
  });
  console.log(`Wrote ${file}. It holds personal data: keep it where only you can read it.`);
} catch (error) {
  sayAndExit(error);
}
