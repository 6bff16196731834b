/** `npm run export -- FILE.csv` or `FILE.json`: writes every offer, newest first. */
import { reportAndExit } from '../config/report-and-exit.ts';
import { UserError } from '../config/user-error.ts';
import { type Control, callTool, linesOf, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import { MESSAGES_HEADER } from '../embedded-backend/owner-tools.ts';
import { countOffers } from './count-offers.ts';
import { columnsOf, csvHead, csvLine, type ExportedOffer } from './csv.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { newFileArgument } from './file-argument.ts';
import { writeNewFile } from './write-new-file.ts';

try {
  const file = newFileArgument('npm run export -- offers.csv');
  const write = file.endsWith('.csv') ? asCsv : file.endsWith('.json') ? asJson : undefined;
  if (!write) throw new UserError('The file’s name must end in .csv or .json, which says what is written.');
  let count = 0;
  await withDatabase(embeddedDataDir(), async (control) => {
    const response = await callTool(control, 'offers');
    const counted = async function* () {
      let newest: ExportedOffer | undefined;
      for await (const line of linesOf(response)) {
        const offer = JSON.parse(line) as ExportedOffer;
        newest ??= offer;
        count += 1;
        yield offer;
      }
      await assertComplete(control, count, newest);
    };
    await writeNewFile(file, write(counted(), response.headers.get(MESSAGES_HEADER) === 'yes'));
  });
  console.log(`Wrote ${countOffers(count)} to ${file}. It holds personal data.`);
} catch (error) {
  reportAndExit(error);
}

/**
 * Compares with what the database itself counts. Offers that came after the first one was read are newer than it.
 * @throws UserError, before the file has its name
 */
async function assertComplete(
  control: Control,
  count: number,
  newest: ExportedOffer | undefined,
): Promise<void> {
  const query = newest && new URLSearchParams({ created_at: newest.created_at, id: newest.id });
  const response = await callTool(control, query ? `count?${query}` : 'count');
  const { count: wanted } = (await response.json()) as { count: number };
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
