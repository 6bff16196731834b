import { clearError } from '../stores/admin.ts';
import type { Offers } from '../stores/offers.ts';
import { CloseIcon } from './icons.tsx';
import { Steady } from './Steady.tsx';

/** The error of loading offers, above the list. It can be dismissed where there is a list. */
export function LoadError({ offers }: { offers: Offers }) {
  const isLoaded = offers.status === 'loaded';
  const message = offers.status === 'failed' ? offers.message : isLoaded ? offers.error : undefined;
  return (
    <Steady className="load-error">
      {message !== undefined && (
        <div className="error">
          <p role="alert">{message}</p>
          {isLoaded && (
            <button type="button" className="icon" aria-label="Dismiss error" onClick={clearError}>
              <CloseIcon />
            </button>
          )}
        </div>
      )}
    </Steady>
  );
}
