import { createHash } from 'node:crypto';
import type { Domain } from './for-sale.ts';

/** Identifies a list of names in its order, to which the lists of descriptions belong. */
export function namesHash(domains: readonly Pick<Domain, 'name'>[]): string {
  return createHash('sha256')
    .update(domains.map(({ name }) => name).join('\n'))
    .digest('base64url')
    .slice(0, 8);
}
