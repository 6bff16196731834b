import type { DomainEntry } from './schema.ts';

/** Whether a domain takes offers: it is neither sold nor reserved. */
export function isForSale({ state }: Pick<DomainEntry, 'state'>): boolean {
  return state === undefined;
}
