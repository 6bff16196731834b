/** The offers of the demo: such as an owner of twelve names may have got in the last ten days. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../server/backend-client/project.ts';
import { demoNumbers } from './demo-numbers.ts';

/** The names that the offers are for, as the owner's file. */
export const DEMO_CATALOGUE = join(import.meta.dirname, 'catalogue.yaml');
const HOUR_MS = 3_600_000;
const DAY = 24;

interface DemoOffer {
  readonly domain: string;
  /** As the visitor typed it. */
  readonly amount: string;
  readonly name: string;
  readonly email: string;
  /** How many hours ago it arrived. */
  readonly ago: number;
  readonly mark?: 'held' | 'low';
  readonly message?: string;
  readonly moves?: readonly DemoMove[];
  /** When it was rejected without a move. */
  readonly rejectedAgo?: number;
  /** Of an accepted offer. */
  readonly deal?: { readonly reference: string; readonly paidAgo: number; readonly payDays: number };
}

interface DemoMove {
  readonly side: 'buyer' | 'owner';
  readonly kind: 'accept' | 'counter' | 'decline' | 'offer' | 'withdraw';
  readonly ago: number;
  readonly amount?: string;
  readonly note?: string;
  /** Of a counter-offer. */
  readonly days?: number;
}

export const DEMO_OFFERS: readonly DemoOffer[] = [
  {
    domain: 'tidepool.app',
    amount: '$4,200',
    name: 'Priya Raman',
    email: 'priya.raman@saltmarsh.example',
    ago: 0.7,
    message:
      'We run a small marine lab and would use the name for an app about our open data. Could we close this month?',
  },
  { domain: 'quietmotor.com', amount: '5k', name: 'Tom Okafor', email: 'tom.okafor@example.com', ago: 3.2 },
  {
    domain: 'cloudorchard.com',
    amount: '$9,000',
    name: 'Nina Castell',
    email: 'nina@castell-hosting.example',
    ago: 6.4,
    mark: 'held',
  },
  {
    domain: 'brightpaper.com',
    amount: '$1,000',
    name: 'Leo Brandt',
    email: 'leo.brandt@example.com',
    ago: 9.1,
    mark: 'low',
  },
  {
    domain: 'dachgarten.de',
    amount: '8.000 €',
    name: 'Jonas Weidmann',
    email: 'jonas@weidmann-gruenbau.example',
    ago: 14.3,
    message: 'Wir begrünen Dächer in Köln und hätten den Namen gern für unseren neuen Auftritt.',
  },
  {
    domain: 'moorland.studio',
    amount: '2,000 USD',
    name: 'Elena Marsh',
    email: 'hello@marsh-ceramics.example',
    ago: 19.6,
  },
  {
    domain: 'lap.app',
    amount: '$6,500',
    name: 'Hannah Lindqvist',
    email: 'hannah@ovalrun.example',
    ago: 2.2 * DAY,
    moves: [
      {
        side: 'owner',
        kind: 'counter',
        ago: 1.8 * DAY,
        amount: '$9,000',
        note: 'Payment through an escrow service is fine.',
        days: 7,
      },
      {
        side: 'buyer',
        kind: 'offer',
        ago: 4.6,
        amount: '$7,800',
        note: 'This is what our budget has for this year.',
      },
    ],
  },
  {
    domain: 'cloudorchard.com',
    amount: 'USD 9,500',
    name: 'Marco Bellini',
    email: 'marco.bellini@example.com',
    ago: 3.1 * DAY,
    moves: [{ side: 'owner', kind: 'counter', ago: 2.4 * DAY, amount: '$11,500', days: 7 }],
  },
  {
    domain: 'northpier.io',
    amount: '$1,300',
    name: 'Ruth Adeyemi',
    email: 'ruth.adeyemi@example.com',
    ago: 4.3 * DAY,
    moves: [
      {
        side: 'owner',
        kind: 'decline',
        ago: 4 * DAY,
        note: 'Thank you. I would sell it for $2,300 or more.',
      },
    ],
  },
  {
    domain: 'lanternworks.com',
    amount: '$5,500',
    name: 'Grace Whitfield',
    email: 'grace@whitfield-lighting.example',
    ago: 5.9 * DAY,
    message: 'For our workshop. We have had the .net for years and would like to use one name at last.',
    moves: [
      { side: 'owner', kind: 'counter', ago: 5.5 * DAY, amount: '$6,400', days: 7 },
      { side: 'buyer', kind: 'accept', ago: 4.8 * DAY, amount: '$6,400' },
    ],
    deal: { reference: 'LANT-7F3K', paidAgo: 2.1 * DAY, payDays: 7 },
  },
  {
    domain: 'mountainbike-outlet.com',
    amount: '3000',
    name: 'Dale Hutchins',
    email: 'dale.hutchins@example.com',
    ago: 6.6 * DAY,
    moves: [{ side: 'owner', kind: 'decline', ago: 6.2 * DAY }],
  },
  {
    domain: 'alpenpost.app',
    amount: '€4,000',
    name: 'Sophie Gruber',
    email: 'sophie@gruber-kurier.example',
    ago: 7.4 * DAY,
    moves: [
      { side: 'owner', kind: 'counter', ago: 7 * DAY, amount: '5.200 €', days: 3 },
      { side: 'buyer', kind: 'withdraw', ago: 6.8 * DAY, note: 'We have found another name.' },
    ],
  },
  {
    domain: 'nordlicht.studio',
    amount: '900 EUR',
    name: 'Mikkel Storm',
    email: 'mikkel.storm@example.com',
    ago: 8.5 * DAY,
    rejectedAgo: 8.1 * DAY,
  },
  {
    domain: 'tidepool.app',
    amount: '$3,000',
    name: 'Owen Park',
    email: 'owen.park@example.com',
    ago: 9.6 * DAY,
    moves: [
      {
        side: 'owner',
        kind: 'decline',
        ago: 9.2 * DAY,
        note: 'Thank you. Below $4,000 I would rather keep it.',
      },
    ],
  },
];

/** Offers and agreements as the server of the pages counts them: without held ones. */
export const DEMO_EVENTS = {
  sent: DEMO_OFFERS.filter(({ mark }) => mark !== 'held').map(({ domain, ago }) => ({ name: domain, ago })),
  agreed: DEMO_OFFERS.flatMap(({ domain, deal, moves = [] }) =>
    deal ? [{ name: domain, ago: moves.at(-1)?.ago ?? 0 }] : [],
  ),
};
export const DEMO_NAMES = [...new Set(DEMO_OFFERS.map(({ domain }) => domain))];

/** Status of an offer after its last move. */
const STATUS_AFTER = {
  offer: 'negotiating',
  counter: 'negotiating',
  accept: 'accepted',
  decline: 'rejected',
  withdraw: 'rejected',
} as const;

/**
 * Adds the offers with all that belongs to them, and numbers of a year; the catalogue to the folder.
 * @param folder the data folder of the demo, which is there
 * @returns the number of offers
 */
export async function addDemoOffers(project: Project, folder: string): Promise<number> {
  copyFileSync(DEMO_CATALOGUE, join(folder, 'catalogue.yaml'));
  const now = Date.now();
  const timeOf = (ago: number) => new Date(now - ago * HOUR_MS).toISOString();
  const all = DEMO_OFFERS.map((offer) => ({ ...offer, id: crypto.randomUUID(), changes: changesOf(offer) }));
  const rows = {
    offers: all.map(({ id, domain, amount, name, email, ago, mark, changes }) => ({
      id,
      domain_name: domain,
      offer_amount: amount,
      customer_name: name,
      customer_email: email,
      created_at: timeOf(ago),
      status: changes.at(-1)?.new_status ?? 'pending',
      held: mark === 'held',
      low: mark === 'low',
    })),
    offer_messages: all.flatMap(({ id, message }) => (message ? [{ offer_id: id, message }] : [])),
    offer_moves: all.flatMap(({ id, moves = [] }) =>
      moves.map(({ ago, days, ...move }, index) => ({
        ...move,
        offer_id: id,
        number: index + 2,
        created_at: timeOf(ago),
        valid_until: days && timeOf(ago - days * DAY),
      })),
    ),
    // A move and the change that it made have the same time.
    offer_status_changes: all.flatMap(({ id, changes }) =>
      changes.map(({ ago, ...change }) => ({ ...change, offer_id: id, changed_at: timeOf(ago) })),
    ),
    deals: all.flatMap(({ id, deal, moves = [] }) => {
      const agreedAgo = moves.at(-1)?.ago ?? 0;
      return deal
        ? [
            {
              reference: deal.reference,
              offer_id: id,
              agreed_at: timeOf(agreedAgo),
              paid_at: timeOf(deal.paidAgo),
              pay_by: timeOf(agreedAgo - deal.payDays * DAY).slice(0, 10),
              changes: [
                { number: 1, field: 'paid', from: false, to: true, at: timeOf(deal.paidAgo), by: null },
              ],
            },
          ]
        : [];
    }),
    name_numbers: demoNumbers(DEMO_NAMES, DEMO_EVENTS, now),
  };
  for (const [kind, ofKind] of Object.entries(rows))
    await project.call('receive_rows', { kind, rows: ofKind });
  return all.length;
}

/** Of the status, oldest first. */
function changesOf({ moves = [], rejectedAgo }: DemoOffer) {
  const after: { ago: number; status: string }[] = moves.map(({ ago, kind }) => ({
    ago,
    status: STATUS_AFTER[kind],
  }));
  if (rejectedAgo !== undefined) after.push({ ago: rejectedAgo, status: 'rejected' });
  return after.flatMap(({ ago, status }, index) => {
    const before = after[index - 1]?.status ?? 'pending';
    return status === before ? [] : [{ ago, old_status: before, new_status: status }];
  });
}
