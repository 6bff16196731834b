import { useContext } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { OFFER_STATUSES, type Offer, type OfferStatus } from '#contract/offer.ts';
import { changeStatus } from '../stores/admin.ts';
import { useShownName } from './shown-names.ts';
import { ShownStandings } from './TimeLeft.tsx';

/** Sets an offer's status. It stays enabled while saving: a disabled field would lose the focus. */
export function StatusSelect({ offer, chosen }: { offer: Offer; chosen: OfferStatus | undefined }) {
  const { id, status, customer_name, domain_name } = offer;
  const domain = useShownName(domain_name);
  const at = useContext(ShownStandings)[id]?.at;
  const known: readonly string[] = OFFER_STATUSES;
  return (
    <span className="choose">
      <select
        className="input"
        aria-label={`Status of the offer of ${withoutDirectionMarks(customer_name)} for ${domain}`}
        aria-busy={chosen !== undefined}
        value={chosen ?? status}
        data-offer={id}
        onChange={({ target }) =>
          changeStatus({
            id,
            domain: domain_name,
            from: status,
            to: target.value as OfferStatus,
            seen: { at },
          })
        }
      >
        {!known.includes(status) && (
          <option value={status} disabled>
            {status}
          </option>
        )}
        {OFFER_STATUSES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </span>
  );
}
