import { clearError } from '../stores/admin.ts';
import type { Offers } from '../stores/offers.ts';
import { DismissButton } from './DismissButton.tsx';
import { HiddenUpdateErrors } from './HiddenUpdateErrors.tsx';
import './load-error.css';

/** The errors above the list: of loading it, which can be dismissed where there is a list, and of offers without a row. */
export function LoadError({ offers }: { offers: Offers }) {
  const isLoaded = offers.status === 'loaded';
  const message = offers.status === 'failed' ? offers.message : isLoaded ? offers.error : undefined;
  return (
    <div className="load-error">
      {message !== undefined && (
        <div className="error">
          <p role="alert">{message}</p>
          {isLoaded && <DismissButton what="error" onClick={clearError} />}
        </div>
      )}
      <HiddenUpdateErrors offers={offers} />
    </div>
  );
}
