/** `npm run catalogue -- COMMAND`: edits, checks and exports the owner's catalogue. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { wrongCommand } from '../process/did-you-mean.ts';
import { oneTooMany, readOptions, wrongValue } from '../process/read-options.ts';
import { messageFor } from '../process/report-and-exit.ts';
import { UserError } from '../process/user-error.ts';
import { createCatalogue } from '../server/catalogue-edits/create-catalogue.ts';
import { editCatalogue } from '../server/catalogue-edits/edit-catalogue.ts';
import { undoChange } from '../server/catalogue-edits/last-change.ts';
import { lockCatalogue } from '../server/catalogue-edits/lock-catalogue.ts';
import {
  type OwnerCatalogue,
  ownerFile,
  readOwnerCatalogue,
  saveCatalogue,
} from '../server/catalogue-edits/owner-catalogue.ts';
import { assertCatalogueOutsideSite } from '../site-builder/assert-outside-site.ts';
import { buildWarnings } from '../site-builder/build-warnings.ts';
import { brandingFiles } from '../src/branding/branding-files.ts';
import { loadBranding } from '../src/branding/load-branding.ts';
import { replaceableTexts } from '../src/branding/own-texts.ts';
import { catalogueFile, isSample, ownCatalogue, ownFolder } from '../src/catalogue/catalogue-file.ts';
import { shownPath } from '../src/catalogue/describe-problems.ts';
import { type Catalogue, loadCatalogue } from '../src/catalogue/load.ts';
import { unreadablePrices } from '../src/catalogue/unreadable-prices.ts';
import { LANGUAGES, type Language } from '../src/i18n/languages.ts';
import { addNames, type NameChanges, removeNames, setState } from './catalogue/change-names.ts';
import { afternicFile, exportCsv } from './catalogue/export-csv.ts';
import { forSaleRecords } from './catalogue/for-sale-records.ts';
import { count, importFile } from './catalogue/import-file.ts';
import { newFileArgument } from './shared/file-argument.ts';
import { separatorOf } from './shared/separator.ts';
import { writeNewFile } from './shared/write-new-file.ts';

const USAGE = `Please say what to do, such as: npm run catalogue -- add lap.app

  init                          make your own catalogue from the sample
  import FILE.csv               add and change names; shows what it will do, and asks. From a pipe: import - --yes
    --map "name=Domain Name,price=List Price"   names the columns
    --currency USD              for amounts that have no currency
    --yes                       writes without asking
    --quiet                     shows numbers instead of names and rows
  add NAME…                     add names, with the values of the section defaults
  remove NAME…                  remove names
  sold NAME…, reserve NAME…     take no more offers; the pages say so
  for-sale NAME…                take offers again
  check                         check the file, and those of the site's branding
  texts [LANGUAGE]              print every text of the pages with its key, for own/texts.LANGUAGE.yaml
  export [FILE.csv]             write all names as CSV
    --for afternic              as that marketplace’s bulk file
  dns                           print records for the domains’ DNS that say that they are for sale
  undo                          take the last change back, also one of the dashboard`;

const NEXT = 'Next: npm run build. A product that was started with --watch builds by itself.';

/** Commands that change names, with the word that reports it. */
type NameCommand = [done: string, change: (names: string[], target: OwnerCatalogue) => NameChanges];
const NAME_COMMANDS: Record<string, NameCommand> = {
  add: ['Added', addNames],
  remove: ['Removed', removeNames],
  sold: ['Marked as sold', (names, target) => setState(names, 'sold', target)],
  reserve: ['Marked as reserved', (names, target) => setState(names, 'reserved', target)],
  'for-sale': ['For sale again', (names, target) => setState(names, undefined, target)],
};

const WITHOUT_ARGUMENTS = ['init', 'check', 'dns', 'undo'];
const COMMANDS: Record<string, (given: string[], io: Io) => void | Promise<void>> = {
  init,
  import: importCsv,
  check,
  texts: printTexts,
  export: exportFile,
  dns: printRecords,
  undo,
};

/** Commands that read the catalogue, or only parts of it, in order to write it. */
const WRITING = new Set([...Object.keys(NAME_COMMANDS), 'init', 'import', 'undo']);
/** How long a command waits for another one. */
const OTHER_COMMAND_TIMEOUT_MS = 20_000;

export const run = commandOf(async ([command = '', ...given], io) => {
  assertCatalogueOutsideSite(io);
  if (!Object.hasOwn(COMMANDS, command) && !Object.hasOwn(NAME_COMMANDS, command))
    throw wrongCommand(command, [...Object.keys(COMMANDS), ...Object.keys(NAME_COMMANDS)], USAGE);
  if (WITHOUT_ARGUMENTS.includes(command))
    readOptions({ args: given }, `The command ${command} takes no arguments.`);
  const release = WRITING.has(command) ? await lockCatalogue(io.cwd(), OTHER_COMMAND_TIMEOUT_MS) : undefined;
  try {
    if (Object.hasOwn(NAME_COMMANDS, command)) changeNames(command, given, io);
    else await COMMANDS[command]?.(given, io);
  } finally {
    release?.();
  }
});

function init(_given: string[], io: Io): void {
  const shown = createCatalogue(io);
  const sample = loadCatalogue(ownCatalogue(io), io.cwd()).domains.map(({ name }) => name);
  consoleOf(io).log(
    `Made ${shown} with the names of the sample. Edit it, or add your own names and remove those of the sample:\n\n` +
      '  npm run catalogue -- import names.csv\n' +
      `  npm run catalogue -- remove ${sample.join(' ')}\n\n${NEXT}`,
  );
}

async function importCsv(given: string[], io: Io): Promise<void> {
  const usage =
    'Please name one file, like this: npm run catalogue -- import names.csv --map "name=Domain Name"';
  const { values, positionals } = readOptions(
    {
      args: given,
      allowPositionals: true,
      options: {
        map: { type: 'string', multiple: true },
        currency: { type: 'string' },
        yes: { type: 'boolean' },
        quiet: { type: 'boolean' },
      },
    },
    usage,
  );
  const [file, ...more] = positionals;
  if (more.length > 0) throw oneTooMany(more[0], usage);
  if (file === undefined) throw new UserError(usage);
  const { map, ...options } = values;
  if (await importFile(file, { mapping: map?.join(), ...options }, io)) reportWritten(io);
}

function changeNames(command: string, given: string[], io: Io): void {
  const [done, change] = NAME_COMMANDS[command] as NameCommand;
  const { log } = consoleOf(io);
  const usage = `Please give names, like this: npm run catalogue -- ${command} lap.app site.example`;
  const { positionals } = readOptions({ args: given, allowPositionals: true }, usage);
  if (positionals.length === 0) throw new UserError(usage);
  const target = readOwnerCatalogue(io);
  const { changes, changed, unchanged } = change(positionals, target);
  for (const name of unchanged) log(`No change: ${name}`);
  if (changed.length === 0) return;
  const { text } = editCatalogue(target.shown, target.text, changes);
  saveCatalogue(target, text, io);
  log(`${done}: ${changed.join(', ')}`);
  reportWritten(io);
}

async function check(_given: string[], io: Io): Promise<void> {
  const { log } = consoleOf(io);
  const file = catalogueFile(io);
  const catalogue = checkedCatalogue(file, io);
  const { domains, settings } = catalogue;
  const branding = loadBranding(io);
  // Only here, because it loads sharp.
  const { logosOf } = await import('../src/branding/shown-branding.ts');
  await logosOf(branding, settings.colorScheme, io.cwd());
  const states = { sold: 0, reserved: 0 };
  for (const { state } of domains) if (state) states[state] += 1;
  const forSale = domains.length - states.sold - states.reserved;
  log(
    `${shownPath(file, io.cwd())} has no problems: ${count(domains.length)} names (${count(forSale)} for sale, ` +
      `${count(states.sold)} sold, ${count(states.reserved)} reserved).`,
  );
  const files = brandingFiles(io).map((one) => shownPath(one, io.cwd()));
  if (files.length > 0) log(`No problems in ${files.join(', ')}.`);
  for (const line of buildWarnings(catalogue, branding, io)) log(line);
  const prices = unreadablePrices(catalogue);
  if (prices) log(`Warning: ${prices}`);
  if (isSample(file, io)) log('It is the sample. Make your own: npm run catalogue -- init');
}

/** @throws the problems of the catalogue and of the owner's other files, both where both have some */
function checkedCatalogue(file: string, io: Io): Catalogue {
  const messages: string[] = [];
  const read = <Value>(load: () => Value): Value | undefined => {
    try {
      return load();
    } catch (error) {
      const message = messageFor(error);
      if (message === undefined) throw error;
      messages.push(message);
      return undefined;
    }
  };
  const catalogue = read(() => loadCatalogue(file, io.cwd()));
  read(() => loadBranding(io));
  if (!catalogue || messages.length > 0) throw new UserError(messages.join('\n'));
  return catalogue;
}

async function printTexts(given: string[], io: Io): Promise<void> {
  const languages = LANGUAGES.map((code) => `npm run catalogue -- texts ${code}`).join('\n  ');
  const usage = `Please name one language, like this:\n\n  ${languages}`;
  const { positionals } = readOptions({ args: given, allowPositionals: true }, usage);
  const [language = 'en', ...more] = positionals as Language[];
  if (!LANGUAGES.includes(language))
    throw new UserError(`There is no language ${JSON.stringify(language)}. ${usage}`);
  if (more.length > 0) throw oneTooMany(more[0], usage);
  const file = shownPath(join(ownFolder(io), `texts.${language}.yaml`), io.cwd());
  const texts = [...replaceableTexts(language)].map(([key, text]) => `${key}: ${JSON.stringify(text)}\n`);
  await print([`# Write those that you change into ${file}. Words in {braces} must stay.\n`, ...texts], io);
}

async function exportFile(given: string[], io: Io): Promise<void> {
  const catalogue = loadCatalogue(catalogueFile(io), io.cwd());
  const example = 'npm run catalogue -- export names.csv';
  const { values, positionals } = readOptions(
    {
      args: given,
      options: { separator: { type: 'string' }, for: { type: 'string' } },
      allowPositionals: true,
    },
    `It takes one file, like this: ${example}`,
  );
  if (values.for !== undefined) return exportFor(values, positionals, catalogue, io);
  const lines = exportCsv(catalogue, separatorOf(values.separator));
  if (positionals.length === 0) return print(lines, io);
  const file = newFileArgument(example, positionals, io.cwd());
  await writeNewFile(file, Readable.from(lines));
  consoleOf(io).log(`Wrote ${count(catalogue.domains.length)} names to ${file}.`);
}

/** `export --for afternic`: a file as the marketplace wants it, and what is not in it. */
async function exportFor(
  values: { for?: string; separator?: string },
  positionals: readonly string[],
  catalogue: Catalogue,
  io: Io,
): Promise<void> {
  const example = 'npm run catalogue -- export --for afternic names.csv';
  if (values.for !== 'afternic') throw wrongValue('--for', values.for, 'It takes afternic alone.');
  if (values.separator !== undefined)
    throw new UserError('--separator is not for --for afternic: its file has commas.');
  const { lines, leftOut, raised } = afternicFile(catalogue);
  const file = newFileArgument(example, positionals, io.cwd());
  await writeNewFile(file, Readable.from(lines));
  const { log } = consoleOf(io);
  log(`Wrote ${count(lines.length - 1)} names to ${file}.`);
  if (raised.length > 0)
    log(`Afternic takes no minimum below $20, so that these have $20: ${raised.join(', ')}`);
  if (leftOut.length > 0) log([`Left out: ${count(leftOut.length)}`, ...leftOut].join('\n  '));
  log('Afternic’s choice “Replace” deletes the names that this file lacks. To keep them, choose to add.');
}

async function printRecords(_given: string[], io: Io): Promise<void> {
  const catalogue = loadCatalogue(catalogueFile(io), io.cwd());
  await print(
    forSaleRecords(catalogue).map((line) => `${line}\n`),
    io,
  );
}

function undo(_given: string[], io: Io): void {
  const { file, shown } = ownerFile(io);
  undoChange(file, shown, io);
  consoleOf(io).log(`${shown} is as it was before the last change.\n${NEXT}`);
}

async function print(lines: Iterable<string>, { stdout }: Io): Promise<void> {
  try {
    await pipeline(Readable.from(lines), stdout, { end: false });
  } catch (error) {
    // The program behind a pipe, such as head, has read enough.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function reportWritten(io: Io): void {
  consoleOf(io).log(`To take it back: npm run catalogue -- undo\n${NEXT}`);
}

if (import.meta.main) await runAsProcess(run);
