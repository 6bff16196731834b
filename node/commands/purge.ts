/** `npm run purge -- --older-than 24months [--accepted] [--yes]`: deletes closed offers that are no longer needed. */

import { confirm } from '../config/confirm.ts';
import { readOptions, wrongValue } from '../config/read-options.ts';
import { readSettings } from '../config/settings.ts';
import { withProject } from '../embedded-backend/with-project.ts';
import { purgeOffers } from '../hosted-project/offers.ts';
import { countOffers } from './count-offers.ts';
import './report-errors.ts';

const USAGE =
  'Please give an age in days, months or years, like this: npm run purge -- --older-than 24months. It deletes rejected ' +
  'offers; --accepted deletes accepted ones too, --yes deletes without a question.';

const { values } = readOptions(
  {
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
const criteria = { olderThan: `${number} ${unit}`, accepted };
const kind = accepted ? 'rejected or accepted' : 'rejected';
const age = `${number} ${unit}${number === '1' ? '' : 's'}`;

await withProject(readSettings(), async (project) => {
  const found = await purgeOffers(project, { ...criteria, purge: false });
  if (found === 0) return console.log(`No offer has been ${kind} for more than ${age}.`);
  const question = `${countOffers(found)} ${found === 1 ? 'has' : 'have'} been ${kind} for more than ${age}. Delete?`;
  if (!yes && !(await confirm(question, { verb: 'delete', done: 'deleted' }))) {
    return console.log('Nothing was deleted.');
  }
  const purged = await purgeOffers(project, { ...criteria, purge: true });
  console.log(
    `Deleted ${countOffers(purged)}. Backups made earlier still hold them: run this again after a restore.`,
  );
});
