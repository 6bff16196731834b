import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { $histories, readHistory, toggleHistory } from '../stores/admin.ts';
import type { OpenHistory } from '../stores/offer-history.ts';
import { DateTime } from './DateTime.tsx';
import { Icon } from './Icon.tsx';
import { OfferMessage } from './OfferMessage.tsx';
import { useShownName } from './shown-names.ts';
import './offer-history.css';

const LABEL = import.meta.env.OFFER_MESSAGE ? 'Message and history' : 'History';

/** Opens and closes the history of an offer, in the cell of its status. */
export function HistoryButton({ offer }: { offer: Offer }) {
  const { id, customer_name, domain_name } = offer;
  const isOpen = useHistory(id) !== undefined;
  const domain = useShownName(domain_name);
  return (
    <button
      type="button"
      className="icon history-button"
      aria-label={`${LABEL} of the offer of ${withoutDirectionMarks(customer_name)} for ${domain}`}
      title={LABEL}
      aria-expanded={isOpen}
      aria-controls={isOpen ? idOf(id) : undefined}
      onClick={() => toggleHistory(id)}
    >
      <Icon name="history" />
    </button>
  );
}

/** The opened history, in the last cell of its row, so that the row is measured with it. */
export function OfferHistory({ offer }: { offer: Offer }) {
  const history = useHistory(offer.id);
  return history === undefined ? null : <Opened offer={offer} history={history} />;
}

function Opened({ offer, history }: { offer: Offer; history: OpenHistory }) {
  const { id, status, created_at } = offer;
  const shown = useRef(status);

  useEffect(() => {
    if (shown.current === status) return;
    shown.current = status;
    void readHistory(id);
  }, [id, status]);

  return (
    <section id={idOf(id)} className="history" aria-label="History" aria-busy={history.status === 'loading'}>
      {history.status === 'loaded' && history.message && <OfferMessage text={history.message} />}
      {history.status === 'loaded' && history.confirmationRejected && (
        <p>
          Confirmation rejected: the address may be wrong. Response of the mail server:{' '}
          <bdi>{history.confirmationRejected}</bdi>
        </p>
      )}
      <ol>
        <li>
          <DateTime at={created_at} /> <span>Received</span>
        </li>
        {history.status === 'loaded' &&
          history.changes.map(({ changed_at, old_status, new_status, changed_by_email }) => (
            <li key={changed_at + new_status}>
              <DateTime at={changed_at} />{' '}
              <span>
                {old_status} → {new_status}
                {changed_by_email !== null && (
                  <>
                    {' '}
                    by <bdi>{changed_by_email}</bdi>
                  </>
                )}
              </span>
            </li>
          ))}
      </ol>
      <div aria-live="polite">
        {history.status === 'loading' && <p>Loading history...</p>}
        {history.status === 'loaded' && history.changes.length === 0 && <p>No changes yet.</p>}
        {history.status === 'failed' && (
          <p className="failed">
            Failed to load the history.{' '}
            <button type="button" className="button quiet" onClick={() => readHistory(id)}>
              Try again
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

function useHistory(id: string): OpenHistory | undefined {
  return useStore($histories, { keys: [id] })[id];
}

function idOf(offer: string): string {
  return `history-${offer}`;
}
