import { useStore } from '@nanostores/react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { $shownGroups, toggleGroup } from '../stores/admin.ts';
import type { ListedOffer } from '../stores/earlier-offers.ts';
import { Icon } from './Icon.tsx';
import { useShownName } from './shown-names.ts';
import './earlier-offers.css';

/** Shows and hides the earlier offers of a customer for a name, below the newest one. */
export function EarlierOffers({ offer, group, earlier }: ListedOffer & { group: string }) {
  const isShown = useStore($shownGroups).has(group);
  const domain = useShownName(offer.domain_name);
  return (
    <button
      type="button"
      className="earlier"
      aria-label={`${earlier} earlier of ${withoutDirectionMarks(offer.customer_name)} for ${domain}`}
      aria-expanded={isShown}
      onClick={() => toggleGroup(group)}
    >
      <span key={earlier}>{earlier} earlier</span>
      <Icon name="chevron" />
    </button>
  );
}
