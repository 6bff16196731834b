/** `npm run seed -- --offers 100000`: makes the data folder of `npm run demo`, with that many made-up offers for the clone's names. */
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { readOptions, wrongValue } from '../process/read-options.ts';
import { catalogueFile } from '../src/catalogue/catalogue-file.ts';
import { loadCatalogue } from '../src/catalogue/load.ts';
import { fillDemoFolder } from './demo/demo-folder.ts';
import { seedOffers } from './demo/seed-offers.ts';

/** Maximum number of offers in one run. */
const MAX_OFFERS = 1_000_000;

const USAGE = `Please say how many, from 1 to ${MAX_OFFERS.toLocaleString('en-US')}, like this: npm run seed -- --offers 1000`;

export const run = commandOf(async (args, io) => {
  const { values } = readOptions({ args, options: { offers: { type: 'string' } } }, USAGE);
  const count = Number(values.offers);
  if (!Number.isInteger(count) || count < 1 || count > MAX_OFFERS)
    throw wrongValue('--offers', values.offers, USAGE);
  const domains = loadCatalogue(catalogueFile(io), io.cwd()).domains.map(({ name }) => name);
  await fillDemoFolder(io, async (project) => {
    await seedOffers(project, count, domains);
    return count;
  });
  consoleOf(io).log('To see them: npm run demo');
});

if (import.meta.main) await runAsProcess(run);
