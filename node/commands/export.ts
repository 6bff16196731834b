/** `npm run export -- FILE.csv` or `FILE.json`: writes every offer, newest first. */
import { readSettings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { type Control, callTool, linesOf, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import { MESSAGES_HEADER } from '../embedded-backend/owner-tools.ts';
import { countOffers as countHosted, readOffers } from '../hosted-project/offers.ts';
import { openProject } from '../hosted-project/project.ts';
import { countOffers } from './count-offers.ts';
import { columnsOf, csvHead, csvLine, type ExportedOffer } from './csv.ts';
import { newFileArgument } from './file-argument.ts';
import { readTool } from './read-tool.ts';
import './report-errors.ts';
import { writeNewFile } from './write-new-file.ts';

/** Where offers are read from: the embedded database or a hosted project. */
interface Source {
  readonly offers: AsyncIterable<ExportedOffer>;
  readonly hasMessages: boolean;
  /** Counts the offers that are no newer than a given one, or all. */
  countUpTo(newest: ExportedOffer | undefined): Promise<number>;
}

let count = 0;
const file = newFileArgument('npm run export -- offers.csv');
const write = file.endsWith('.csv') ? asCsv : file.endsWith('.json') ? asJson : undefined;
if (!write) throw new UserError('The file’s name must end in .csv or .json, which says what is written.');
const writeFrom = (source: Source) => writeNewFile(file, write(counted(source), source.hasMessages));
const { dataDir, supabase } = readSettings();
if (supabase) {
  const project = openProject(supabase);
  await writeFrom({ ...(await readOffers(project)), countUpTo: (newest) => countHosted(project, newest) });
} else {
  await withDatabase(dataDir, async (control) => writeFrom(await embeddedSource(control)));
}
console.log(`Wrote ${countOffers(count)} to ${file}. It holds personal data.`);

async function embeddedSource(control: Control): Promise<Source> {
  const response = await callTool(control, 'offers');
  return {
    hasMessages: response.headers.get(MESSAGES_HEADER) === 'yes',
    offers: parseLines(linesOf(response)),
    countUpTo: async (newest) => {
      const query = newest && new URLSearchParams({ created_at: newest.created_at, id: newest.id });
      return (await readTool<{ count: number }>(control, query ? `count?${query}` : 'count')).count;
    },
  };
}

async function* parseLines(lines: AsyncIterable<string>): AsyncGenerator<ExportedOffer> {
  for await (const line of lines) yield JSON.parse(line) as ExportedOffer;
}

/**
 * Yields and counts the offers, and compares with what the database itself counts. Offers that came after the first one was read are newer than it.
 * @throws UserError, before the file has its name
 */
async function* counted({ offers, countUpTo }: Source): AsyncGenerator<ExportedOffer> {
  let newest: ExportedOffer | undefined;
  for await (const offer of offers) {
    newest ??= offer;
    count += 1;
    yield offer;
  }
  const wanted = await countUpTo(newest);
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
