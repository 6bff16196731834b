/** `npm run purge -- --older-than 24months [--accepted] [--yes]`: deletes closed offers that are no longer needed. */

import { settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { confirm } from '../process/confirm.ts';
import { readOptions, wrongValue } from '../process/read-options.ts';
import type { Project } from '../server/backend-client/project.ts';
import { withProject } from '../server/embedded/with-project.ts';
import { countOffers } from './shared/count-offers.ts';

const USAGE =
  'Please give an age in days, months or years, like this: npm run purge -- --older-than 24months. It deletes rejected ' +
  'offers; --accepted deletes accepted ones too, --yes deletes without a question.';

export const run = commandOf(async (argv, io) => {
  const { values } = readOptions(
    {
      args: argv,
      options: {
        'older-than': { type: 'string' },
        accepted: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    },
    USAGE,
  );
  const [, number, unit] = /^([1-9]\d{0,3})(day|month|year)s?$/.exec(values['older-than'] ?? '') ?? [];
  if (number === undefined) throw wrongValue('--older-than', values['older-than'], USAGE);
  const { accepted, yes } = values;
  const criteria = { older_than: `${number} ${unit}`, accepted };
  const kind = accepted ? 'rejected or accepted' : 'rejected';
  const age = `${number} ${unit}${number === '1' ? '' : 's'}`;

  const { log, error } = consoleOf(io);
  const purge = async (project: Project) => {
    const found = await project.call('purge_offers', criteria);
    if (found === 0) return log(`No offer has been ${kind} for more than ${age}.`);
    const question = `${countOffers(found)} ${found === 1 ? 'has' : 'have'} been ${kind} for more than ${age}. Delete?`;
    if (!yes && !(await confirm(question, { verb: 'delete', done: 'deleted' }, io))) {
      return log('Nothing was deleted.');
    }
    const purged = await project.call('purge_offers', { ...criteria, purge: true });
    log(
      `Deleted ${countOffers(purged)}. Backups made earlier still hold them: run this again after a restore.`,
    );
  };
  await withProject(settingsOf(io), purge, error);
});

if (import.meta.main) await runAsProcess(run);
