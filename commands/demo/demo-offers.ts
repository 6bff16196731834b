import { join } from 'node:path';
import { sampleOffer } from '#contract/sample-offer.ts';
import { consoleOf, type Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import { readOffers } from '../../server/backend-client/offers.ts';
import type { Project } from '../../server/backend-client/project.ts';
import { type Control, withDatabase } from '../../server/embedded/call-control.ts';
import { projectOf } from '../../server/embedded/with-project.ts';
import { catalogueFile } from '../../src/catalogue/catalogue-file.ts';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { countOffers } from '../shared/count-offers.ts';
import { embeddedDataDir } from '../shared/embedded-data-dir.ts';

/** The data folder of made-up offers, apart from the owner's: they could not be taken out of there, and would be reported. */
export const DEMO_FOLDER = '.data-demo';
const DAY_MS = 24 * 3_600_000;
/** Number of offers in one call: some 3 MB of JSON. */
const BATCH = 10_000;
const YEAR_MS = 365 * DAY_MS;
const NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Linus'];
/** Of references, as in the schemas' `private.new_reference`. */
const SIGNS = 'ACDEFGHJKMNPQRTUVWXY34679';
const STATUSES = ['pending', 'accepted', 'rejected', 'negotiating'];

/**
 * Makes the data folder of made-up offers, for the catalogue's domains.
 * @throws UserError where it holds offers, or with a hosted project
 */
export async function makeDemoOffers(count: number, io: Io): Promise<void> {
  embeddedDataDir(io);
  const domains = loadCatalogue(catalogueFile(io), io.cwd()).domains.map(({ name }) => name);
  const make = async (control: Control) => {
    const project = projectOf(control);
    const present = await project.call('count_offers', {});
    if (present > 0) {
      throw new UserError(
        `${DEMO_FOLDER} holds ${countOffers(present)} already. To make others, end npm run demo and remove that folder.`,
      );
    }
    await seedOffers(project, count, domains);
    await counterOne(project);
  };
  const { log, error: report } = consoleOf(io);
  await withDatabase(join(io.cwd(), DEMO_FOLDER), make, { mayMake: true, report });
  log(`Added ${count.toLocaleString('en-US')} made-up offers to ${DEMO_FOLDER}.`);
}

/** Adds invented offers, spread over the last year and over the given domains. The newest is `Example 1`. */
export async function seedOffers(project: Project, count: number, domains: readonly string[]): Promise<void> {
  const now = Date.now();
  const offer = (n: number) =>
    sampleOffer({
      id: crypto.randomUUID(),
      domain_name: domains[n % domains.length],
      offer_amount: `$${(100 + ((n * 7919) % 90_000)).toLocaleString('en-US')}`,
      customer_name: `${NAMES[n % NAMES.length]} Example ${n}`,
      customer_email: `customer${n}@example.com`,
      created_at: new Date(now - (n * YEAR_MS) / count).toISOString(),
      status: STATUSES[n % STATUSES.length],
      held: false,
      low: false,
    });
  for (let first = 1; first <= count; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, at) => offer(first + at));
    await project.call('receive_rows', { kind: 'offers', rows });
    const deals = rows.flatMap(({ id, domain_name, created_at, status }, at) =>
      status === 'accepted'
        ? [
            {
              reference: referenceOf(domain_name, first + at),
              offer_id: id,
              agreed_at: created_at,
              changes: [],
            },
          ]
        : [],
    );
    await project.call('receive_rows', { kind: 'deals', rows: deals });
  }
}

/** Another one for each number below 390,625. */
function referenceOf(domain: string, number: number): string {
  const label = domain.toUpperCase().replace(/\..*|[^A-Z0-9]/g, '');
  const signs = [0, 1, 2, 3].map((place) => SIGNS[Math.floor(number / SIGNS.length ** place) % SIGNS.length]);
  return `${label.slice(0, 4)}-${signs.join('')}`;
}

/** Makes a counter-offer of the newest offer that is being negotiated, so that its row shows moves. */
async function counterOne(project: Project): Promise<void> {
  const { offers: newest } = await readOffers(project, 10);
  for await (const { id, status } of newest) {
    if (status !== 'negotiating') continue;
    const valid_until = new Date(Date.now() + 7 * DAY_MS).toISOString();
    const move = { offer_id: id, number: 2, side: 'owner', kind: 'counter', amount: '$9,500', valid_until };
    const rows = [{ ...move, created_at: new Date().toISOString() }];
    await project.call('receive_rows', { kind: 'offer_moves', rows });
    return;
  }
}
