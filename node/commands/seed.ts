/** `npm run seed -- --offers 100000`: fills the embedded database with invented offers, for tests and measurements. */
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { readOptions } from '../config/read-options.ts';
import { UserError } from '../config/user-error.ts';
import { withDatabase } from '../embedded-backend/call-control.ts';
import { projectOf } from '../embedded-backend/with-project.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { seedOffers } from './seed-offers.ts';
import './report-errors.ts';

/** Maximum number of offers in one run. */
const MAX_OFFERS = 1_000_000;

const usage = `Please say how many, from 1 to ${MAX_OFFERS.toLocaleString('en-US')}, like this: npm run seed -- --offers 1000`;
const { values } = readOptions({ options: { offers: { type: 'string' } } }, usage);
const count = Number(values.offers);
if (!Number.isInteger(count) || count < 1 || count > MAX_OFFERS) throw new UserError(usage);
const domains = loadCatalogue().domains.map(({ name }) => name);
await withDatabase(embeddedDataDir(), (control) => seedOffers(projectOf(control), count, domains));
console.log(`Added ${count.toLocaleString('en-US')} made-up offers.`);
