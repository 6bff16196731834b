/** `npm run export -- FILE.csv` or `FILE.json`: writes every offer, newest first. */

import { columnsOf, csvHead, csvLine, type ExportedOffer } from '#contract/offers-csv.ts';
import { readSettings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { withProject } from '../embedded-backend/with-project.ts';
import { countOffers as countUpTo, readOffers } from '../hosted-project/offers.ts';
import type { Project } from '../hosted-project/project.ts';
import { countOffers } from './count-offers.ts';
import { newFileArgument } from './file-argument.ts';
import './report-errors.ts';
import { writeNewFile } from './write-new-file.ts';

let count = 0;
const file = newFileArgument('npm run export -- offers.csv');
const write = file.endsWith('.csv') ? asCsv : file.endsWith('.json') ? asJson : undefined;
if (!write) throw new UserError('The file’s name must end in .csv or .json, which says what is written.');
await withProject(readSettings(), async (project) => {
  const { hasMessages, offers } = await readOffers(project);
  await writeNewFile(file, write(counted(project, offers), hasMessages));
});
console.log(`Wrote ${countOffers(count)} to ${file}. It holds personal data.`);

/**
 * Yields and counts the offers, and compares with what the database itself counts. Offers that came after the first one was read are newer than it.
 * @throws UserError, before the file has its name
 */
async function* counted(
  project: Project,
  offers: AsyncIterable<ExportedOffer>,
): AsyncGenerator<ExportedOffer> {
  let newest: ExportedOffer | undefined;
  for await (const offer of offers) {
    newest ??= offer;
    count += 1;
    yield offer;
  }
  const wanted = await countUpTo(project, newest);
  if (count === wanted) return;
  throw new UserError(
    `No file was written: ${countOffers(count)} could be read, the database counts ${wanted}. ` +
      'Run this again; if it fails again, restart the product first.',
  );
}

/** @throws UserError, before the file has its name, where the first message arrives while offers are read */
async function* asCsv(offers: AsyncIterable<ExportedOffer>, hasMessages: boolean): AsyncGenerator<string> {
  const columns = columnsOf(hasMessages);
  yield csvHead(columns);
  for await (const offer of offers) {
    if (offer.message && !hasMessages) {
      throw new UserError(
        'No file was written: the first offer with a message arrived meanwhile. Run this again.',
      );
    }
    yield csvLine(offer, columns);
  }
}

async function* asJson(offers: AsyncIterable<ExportedOffer>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const offer of offers) {
    yield separator + JSON.stringify(offer);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
