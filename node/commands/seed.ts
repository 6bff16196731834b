/** `npm run seed -- --offers 100000`: fills the embedded database with made-up offers, for trying and measuring. */
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { readOptions } from '../config/read-options.ts';
import { reportAndExit } from '../config/report-and-exit.ts';
import { UserError } from '../config/user-error.ts';
import { callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';

/** At most so many at once. */
const MOST = 1_000_000;

try {
  const count = wanted();
  const domains = loadCatalogue().domains.map(({ name }) => name);
  await withDatabase(embeddedDataDir(), (control) =>
    callTool(control, `seed?offers=${count}`, { method: 'POST', body: JSON.stringify(domains) }),
  );
  console.log(`Added ${count.toLocaleString('en-US')} made-up offers.`);
} catch (error) {
  reportAndExit(error);
}

function wanted(): number {
  const usage = `Please say how many, from 1 to ${MOST.toLocaleString('en-US')}, like this: npm run seed -- --offers 1000`;
  const { values } = readOptions({ options: { offers: { type: 'string' } } }, usage);
  const count = Number(values.offers);
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return count;
  throw new UserError(usage);
}
