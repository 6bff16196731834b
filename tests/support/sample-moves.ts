/** A negotiation that ends in a deal, move by move, for tests of what either side is shown. */
import type { Deal, StoredMove } from '#contract/negotiation.ts';

export const OFFERED: StoredMove = {
  number: 1,
  side: 'buyer',
  kind: 'offer',
  amount: '$4,000',
  value: 4000,
  currency: 'USD',
  at: '2026-11-18T09:30:00Z',
};

export const COUNTERED: StoredMove = {
  ...OFFERED,
  number: 2,
  side: 'owner',
  kind: 'counter',
  amount: '5000 USD',
  value: 5000,
  at: '2026-11-18T11:00:00Z',
  by: 'owner@example.com',
  valid_until: '2026-11-25T11:00:00Z',
  note: 'With the logo.',
};

export const ACCEPTED: StoredMove = { number: 3, side: 'buyer', kind: 'accept', at: '2026-11-19T08:00:00Z' };

export const AGREED: Deal = { reference: 'LAN-7F3K', agreed_at: ACCEPTED.at };
