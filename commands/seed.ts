/** `npm run seed -- --offers 100000`: makes the data folder of `npm run demo`, with that many made-up offers. */
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { readOptions, wrongValue } from '../process/read-options.ts';
import { makeDemoOffers } from './demo/demo-offers.ts';

/** Maximum number of offers in one run. */
const MAX_OFFERS = 1_000_000;

const USAGE = `Please say how many, from 1 to ${MAX_OFFERS.toLocaleString('en-US')}, like this: npm run seed -- --offers 1000`;

export const run = commandOf(async (args, io) => {
  const { values } = readOptions({ args, options: { offers: { type: 'string' } } }, USAGE);
  const count = Number(values.offers);
  if (!Number.isInteger(count) || count < 1 || count > MAX_OFFERS)
    throw wrongValue('--offers', values.offers, USAGE);
  await makeDemoOffers(count, io);
  consoleOf(io).log('To see them: npm run demo');
});

if (import.meta.main) await runAsProcess(run);
