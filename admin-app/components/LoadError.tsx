import { clearUpdateError, offersStore } from '../stores/admin.ts';
import type { UpdateError } from '../stores/offer-status.ts';
import { RETRY_INTERVAL_MS } from '../stores/offers.ts';
import { DismissButton } from './DismissButton.tsx';
import { DomainName } from './DomainName.tsx';
import { useUpdateErrors } from './OffersTable.tsx';
import type { Offers } from './use-offers.ts';
import './load-error.css';

/** The errors above the list: of loading it, which can be dismissed where there is a list, and of offers without a row. */
export function LoadError({ offers }: { offers: Offers }) {
  const isLoaded = offers.status === 'loaded';
  const message = offers.status === 'failed' ? offers.message : isLoaded ? offers.error : undefined;
  return (
    <div className="load-error">
      {message !== undefined && (
        <div className="error">
          <div>
            <p role="alert">{message}</p>
            <p>Trying again every {RETRY_INTERVAL_MS / 1_000} seconds.</p>
          </div>
          {isLoaded && <DismissButton what="error" onClick={offersStore.clearLoadError} />}
        </div>
      )}
      {/* While the list is read, rows may be missing for a moment. */}
      {isLoaded && !offers.reloading && <HiddenErrors pages={offers.pages} />}
    </div>
  );
}

/** Errors of saving the status of offers that have no row, as after undoing a change of an offer that a filter hides. */
function HiddenErrors({ pages }: Pick<Extract<Offers, { status: 'loaded' }>, 'pages'>) {
  const errors = useUpdateErrors();
  if (errors.length === 0) return null;
  const ids = new Set([...pages.values()].flat().map(({ id }) => id));
  return errors.filter(({ id }) => !ids.has(id)).map((error) => <HiddenError key={error.id} {...error} />);
}

function HiddenError({ id, domain, message }: UpdateError) {
  function dismiss() {
    // Otherwise the focus would be lost with the button.
    document.getElementById('offers-title')?.focus({ preventScroll: true });
    clearUpdateError(id);
  }

  return (
    <div className="error">
      <p key={message} role="alert">
        <DomainName name={domain} />: {message}
      </p>
      <DismissButton what="error" onClick={dismiss} />
    </div>
  );
}
