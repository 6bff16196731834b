/**
 * `npm run transfer -- --to hosted`: copies offers, idempotency keys, messages and the audit of the embedded database to
 * the hosted project of the settings. Nothing is removed here. A second run continues.
 */

import { settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { readOptions, wrongValue } from '../process/read-options.ts';
import { reportInterrupt } from '../process/report-interrupt.ts';
import { UserError } from '../process/user-error.ts';
import { readRows } from '../server/backend-client/administrators.ts';
import { openHosted } from '../server/backend-client/project.ts';
import { type Control, findRunning, withDatabase } from '../server/embedded/call-control.ts';
import { projectOf } from '../server/embedded/with-project.ts';
import {
  assertTransferred,
  assertUnchanged,
  TRANSFERRED_KINDS,
  type TransferCount,
  transferAccounts,
  transferRows,
} from './hosted/transfer-rows.ts';

const USAGE = 'Please say where to: npm run transfer -- --to hosted';

const STOPPED =
  'Stopped. Nothing was removed here: run npm run transfer -- --to hosted again, and it continues.';

export const run = commandOf(async (args, io) => {
  const { to } = readOptions({ args, options: { to: { type: 'string' } } }, USAGE).values;
  if (to !== 'hosted') throw wrongValue('--to', to, USAGE);
  const { dataDir, supabase } = settingsOf(io);
  if (supabase === undefined) {
    throw new UserError(
      'Set SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY and SUPABASE_SECRET_KEY of the hosted project in .env first, and run ' +
        'npm run deploy:backend.',
    );
  }
  const project = openHosted(supabase);
  if (await findRunning(dataDir)) {
    throw new UserError(
      'The product is running on this data folder. Stop it first: what comes in meanwhile would be missing there.',
    );
  }
  const { log, error: report } = consoleOf(io);
  const transfer = async (control: Control) => {
    const source = projectOf(control);
    const { ids, granted, notGranted } = await transferAccounts(source, project);
    const factors = (await readRows(source)).filter(({ has_factor }) => has_factor);
    const counts: TransferCount[] = [];
    for (const kind of TRANSFERRED_KINDS) {
      const count = await transferRows(kind, source, project, ids);
      counts.push(count);
      const others = count.total > count.there ? ` (the project has ${count.total})` : '';
      const erased =
        count.erased > 0 ? `, ${count.erased} not transferred, since their offers were erased there` : '';
      log(`${kind}: ${count.here} here, ${count.there} of them there${others}${erased}`);
    }
    await assertUnchanged(counts, source);
    assertTransferred(counts);
    log(
      `Everything is in ${project.url}. ${dataDir} is as it was: keep it until you have looked at the dashboard, then ` +
        'remove it, because it holds personal data.',
    );
    for (const { email } of factors) {
      log(
        `The second factor of ${email} is not transferred. To enrol one there: npm run admin -- factor ${email}`,
      );
    }
    for (const email of granted) {
      log(`${email} is an administrator there. For a password: npm run admin -- password ${email}`);
    }
    for (const email of notGranted) {
      log(
        `${email} has an account there, and is no administrator. To grant it: npm run admin -- add ${email}`,
      );
    }
  };
  await withDatabase(dataDir, transfer, { report });
});

if (import.meta.main) {
  reportInterrupt(STOPPED);
  await runAsProcess(run);
}
