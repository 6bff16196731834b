/** Open offers of one email for one name: the newest one is in the list, and those before it below it, once they are shown. */
import type { Offer } from '#contract/offer.ts';
import type { SessionCache } from './session-cache.ts';

export interface ListedOffer {
  readonly offer: Offer;
  /** Absent for an offer that stands alone. */
  readonly group?: string | undefined;
  /** Number of earlier offers of the group, for the newest one; 0 for the earlier ones themselves. */
  readonly earlier: number;
}

export function createEarlierOffers({ sessionAtom }: Pick<SessionCache, 'sessionAtom'>) {
  /** The groups whose earlier offers are shown. */
  const $shownGroups = sessionAtom<ReadonlySet<string>>(new Set());

  return {
    $shownGroups,

    showGroup: (group: string) => $shownGroups.set(new Set($shownGroups.get()).add(group)),

    toggleGroup(group: string): void {
      const shown = new Set($shownGroups.get());
      if (!shown.delete(group)) shown.add(group);
      $shownGroups.set(shown);
    },
  };
}

/** The offers with the earlier ones of each group behind its newest. @param offers the newest first */
export function withGroups(offers: readonly Offer[]): ListedOffer[] {
  const groups = new Map<string, Offer[]>();
  for (const offer of offers.filter(isOpen))
    groups.set(groupOf(offer), [...(groups.get(groupOf(offer)) ?? []), offer]);
  return offers.flatMap((offer) => {
    const [newest, ...others] = (isOpen(offer) && groups.get(groupOf(offer))) || [];
    if (newest === undefined || others.length === 0) return [{ offer, earlier: 0 }];
    if (newest !== offer) return [];
    const group = groupOf(offer);
    return [
      { offer, group, earlier: others.length },
      ...others.map((other) => ({ offer: other, group, earlier: 0 })),
    ];
  });
}

/**
 * Whether a row is in the list: an earlier offer is once its group is shown, and always while it is open or waits for the owner,
 * because every visitor can make a newer offer with the same email.
 */
export function isListed(
  { offer, group, earlier }: ListedOffer,
  {
    shown,
    open,
    waits,
  }: Readonly<Record<'shown' | 'open', ReadonlySet<string>>> & { waits: (offer: Offer) => boolean },
): boolean {
  const isEarlier = group !== undefined && earlier === 0;
  return !isEarlier || shown.has(group) || open.has(offer.id) || waits(offer);
}

function isOpen({ status }: Offer): boolean {
  return status === 'pending' || status === 'negotiating';
}

function groupOf({ domain_name, customer_email }: Offer): string {
  return `${domain_name} ${customer_email.trim().toLowerCase()}`;
}
