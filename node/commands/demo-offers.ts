import { resolve } from 'node:path';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { UserError } from '../config/user-error.ts';
import { type Control, withDatabase } from '../embedded-backend/call-control.ts';
import { projectOf } from '../embedded-backend/with-project.ts';
import * as offers from '../hosted-project/offers.ts';
import { countOffers } from './count-offers.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { seedOffers } from './seed-offers.ts';

/** The data folder of made-up offers, apart from the owner's: they could not be taken out of there, and would be reported. */
export const DEMO_FOLDER = '.data-demo';

/**
 * Makes the data folder of made-up offers, for the catalogue's domains.
 * @throws UserError where it holds offers, or with a hosted project
 */
export async function makeDemoOffers(count: number): Promise<void> {
  embeddedDataDir();
  const domains = loadCatalogue().domains.map(({ name }) => name);
  const make = async (control: Control) => {
    const project = projectOf(control);
    const present = await offers.countOffers(project);
    if (present > 0) {
      throw new UserError(
        `${DEMO_FOLDER} holds ${countOffers(present)} already. To make others, end npm run demo and remove that folder.`,
      );
    }
    await seedOffers(project, count, domains);
  };
  await withDatabase(resolve(DEMO_FOLDER), make, { mayMake: true });
  console.log(`Added ${count.toLocaleString('en-US')} made-up offers to ${DEMO_FOLDER}.`);
}
