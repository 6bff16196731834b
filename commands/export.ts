/**
 * `npm run export -- FILE.csv [--separator ";"]` or `FILE.json`: writes every offer, newest first. `npm run export -- --email EMAIL FILE.json`:
 * writes everything that is stored about one customer. `npm run export -- numbers.csv`: writes the numbers of names by day.
 */
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { Returned } from '#contract/calls.ts';
import { csvCell, type Separator } from '#contract/csv-cell.ts';
import { columnsOf, csvHead, csvLine, type ExportedOffer } from '#contract/offers-csv.ts';
import { settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { readOptions } from '../process/read-options.ts';
import { UserError } from '../process/user-error.ts';
import { readCustomer, readOffers } from '../server/backend-client/offers.ts';
import type { Project } from '../server/backend-client/project.ts';
import { withProject } from '../server/embedded/with-project.ts';
import { countOffers } from './shared/count-offers.ts';
import { EMAIL, newFileArgument, wrongEmail } from './shared/file-argument.ts';
import { separatorOf } from './shared/separator.ts';
import { writeNewFile } from './shared/write-new-file.ts';

const USAGE = 'npm run export -- offers.csv';
/** The name of a file that gets numbers in place of offers. */
const NUMBERS_FILE = 'numbers.csv';
const NUMBERS = ['visits', 'begun', 'sent', 'agreed'] as const;
const USAGE_OF_ONE = 'npm run export -- --email name@example.com customer.json';

export const run = commandOf(async (args, io) => {
  const { values, positionals } = readOptions(
    {
      args,
      options: { email: { type: 'string' }, separator: { type: 'string' } },
      allowPositionals: true,
    },
    `Please name one file, like this: ${USAGE} or ${USAGE_OF_ONE}`,
  );
  const { email } = values;
  const separator = separatorOf(values.separator);
  const file = newFileArgument(email === undefined ? USAGE : USAGE_OF_ONE, positionals, io.cwd());
  if (values.separator !== undefined && !file.endsWith('.csv'))
    throw new UserError('The option --separator is for files that end in .csv.');
  if (email !== undefined) await exportCustomer(email.trim(), file, io);
  else if (basename(file) === NUMBERS_FILE) await exportNumbers(file, separator, io);
  else await exportAll(file, separator, io);
});

async function exportAll(file: string, separator: Separator, io: Io): Promise<void> {
  const { log, error } = consoleOf(io);
  const write = file.endsWith('.csv') ? asCsv : file.endsWith('.json') ? asJson : undefined;
  if (!write) throw new UserError('The file’s name must end in .csv or .json, which says what is written.');
  const writeAll = async (project: Project) => {
    const { hasMessages, offers } = await readOffers(project);
    const counter = { count: 0 };
    await writeNewFile(file, write(counted(project, offers, counter), hasMessages, separator));
    return counter.count;
  };
  const count = await withProject(settingsOf(io), writeAll, error);
  log(`Wrote ${countOffers(count)} to ${file}. It holds personal data.`);
}

async function exportNumbers(file: string, separator: Separator, io: Io): Promise<void> {
  const { log, error } = consoleOf(io);
  const names = new Set<string>();
  await withProject(
    settingsOf(io),
    (project) => writeNewFile(file, numberLines(project, separator, names)),
    error,
  );
  log(
    `Wrote the numbers of ${names.size === 1 ? '1 name' : `${names.size.toLocaleString('en-US')} names`} to ${file}, by day in UTC. ` +
      'They hold no personal data.',
  );
}

/** A line for each name and day that has any number. @param names are added to it */
async function* numberLines(
  project: Project,
  separator: Separator,
  names: Set<string>,
): AsyncGenerator<string> {
  yield `${['name', 'day', ...NUMBERS].join(separator)}\r\n`;
  for (let after: string | null = null; ; ) {
    const page: Returned<'read_rows'> = await project.call('read_rows', { kind: 'name_numbers', after });
    for (const row of page.rows) {
      names.add(String(row.name));
      for (let day = 1; day <= 31; day += 1) {
        const numbers = NUMBERS.map((what) => (row[what] as (number | null)[] | null)?.[day - 1] ?? 0);
        if (numbers.every((number) => number === 0)) continue;
        const date = `${String(row.month).slice(0, 8)}${String(day).padStart(2, '0')}`;
        yield `${[csvCell(String(row.name), separator), date, ...numbers].join(separator)}\r\n`;
      }
    }
    if (page.next === null) return;
    after = page.next;
  }
}

async function exportCustomer(email: string, file: string, io: Io): Promise<void> {
  const { log, error } = consoleOf(io);
  if (!EMAIL.test(email)) throw wrongEmail(USAGE_OF_ONE, [email]);
  if (!file.endsWith('.json')) throw new UserError('The file’s name must end in .json.');
  const customer = await withProject(settingsOf(io), (project) => readCustomer(project, email), error);
  const { offers, mails } = customer;
  if (offers.length + mails.length === 0) {
    log(`Nothing is stored about ${email}, and no file was written.`);
    return;
  }
  await writeNewFile(file, Readable.from([`${JSON.stringify(customer, null, 2)}\n`]));
  log(
    `Wrote ${countOffers(offers.length)} and ${mails.length === 1 ? '1 mail' : `${mails.length} mails`} to ${file}. ` +
      'It holds personal data.',
  );
}

/**
 * Yields and counts the offers, and compares with what the database itself counts. Offers that came after the first one was read are newer than it.
 * @throws UserError, before the file has its name
 */
async function* counted(
  project: Project,
  offers: AsyncIterable<ExportedOffer>,
  counter: { count: number },
): AsyncGenerator<ExportedOffer> {
  let newest: ExportedOffer | undefined;
  for await (const offer of offers) {
    newest ??= offer;
    counter.count += 1;
    yield offer;
  }
  const { count } = counter;
  const wanted = await project.call(
    'count_offers',
    newest ? { newest_created_at: newest.created_at, newest_id: newest.id } : {},
  );
  if (count === wanted) return;
  throw new UserError(
    `No file was written: ${countOffers(count)} could be read, the database counts ${wanted}. ` +
      'Run this again; if it fails again, restart the product first.',
  );
}

/** @throws UserError, before the file has its name, where the first message arrives while offers are read */
async function* asCsv(
  offers: AsyncIterable<ExportedOffer>,
  hasMessages: boolean,
  separator: Separator,
): AsyncGenerator<string> {
  const columns = columnsOf(hasMessages);
  yield csvHead(columns, separator);
  for await (const offer of offers) {
    if (offer.message && !hasMessages) {
      throw new UserError(
        'No file was written: the first offer with a message arrived meanwhile. Run this again.',
      );
    }
    yield csvLine(offer, columns, separator);
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

if (import.meta.main) await runAsProcess(run);
