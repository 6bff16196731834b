import { sampleOffer } from '#contract/sample-offer.ts';
import type { Project } from '../../server/backend-client/project.ts';

/** Number of offers in one call: some 3 MB of JSON. */
const BATCH = 10_000;
const YEAR_MS = 365 * 24 * 3_600_000;
const NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Linus'];
/** Of references, as in the schemas' `private.new_reference`. */
const SIGNS = 'ACDEFGHJKMNPQRTUVWXY34679';
const STATUSES = ['pending', 'accepted', 'rejected', 'negotiating'];

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
