/** `npm run seed -- --offers 100000`: makes the data folder of `npm run demo`, with that many made-up offers. */
import { readOptions, wrongValue } from '../config/read-options.ts';
import { makeDemoOffers } from './demo-offers.ts';
import './report-errors.ts';

/** Maximum number of offers in one run. */
const MAX_OFFERS = 1_000_000;

const usage = `Please say how many, from 1 to ${MAX_OFFERS.toLocaleString('en-US')}, like this: npm run seed -- --offers 1000`;
const { values } = readOptions({ options: { offers: { type: 'string' } } }, usage);
const count = Number(values.offers);
if (!Number.isInteger(count) || count < 1 || count > MAX_OFFERS)
  throw wrongValue('--offers', values.offers, usage);
await makeDemoOffers(count);
console.log('To see them: npm run demo');
