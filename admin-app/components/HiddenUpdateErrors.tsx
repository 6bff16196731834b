import { useStore } from '@nanostores/react';
import { $updateErrors, clearUpdateError, domainOfChange } from '../stores/admin.ts';
import { rowOf } from '../stores/offer-list.ts';
import type { Offers } from '../stores/offers.ts';
import { DismissButton } from './DismissButton.tsx';
import { useShownName } from './shown-names.ts';

/** Errors of saving the status of offers that have no row, as after undoing a change of an offer that a filter hides. */
export function HiddenUpdateErrors({ offers }: { offers: Offers }) {
  const errors = useStore($updateErrors);
  // While the list is read, rows may be missing for a moment.
  if (offers.status === 'loading' || (offers.status === 'loaded' && offers.reloading)) return null;
  return Object.entries(errors)
    .filter(([id]) => !hasRow(offers, id))
    .map(([id, message]) => <HiddenError key={id} id={id} message={message} />);
}

function hasRow(offers: Offers, id: string): boolean {
  if (offers.status !== 'loaded') return false;
  return rowOf(offers.list, id) !== undefined || offers.held.offers.some((offer) => offer.id === id);
}

function HiddenError({ id, message }: { id: string; message: string }) {
  const domain = useShownName(domainOfChange(id) ?? '');

  function dismiss() {
    // Otherwise the focus would be lost with the button.
    document.getElementById('offers-title')?.focus({ preventScroll: true });
    clearUpdateError(id);
  }

  return (
    <div className="error">
      <p role="alert">
        <bdi>{domain}</bdi>: {message}
      </p>
      <DismissButton what="error" onClick={dismiss} />
    </div>
  );
}
