import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { $linked, closeLink, openLink } from '../stores/admin.ts';
import { CloseIcon } from './icons.tsx';

/** Follows the offer that the URL's fragment names, and says where there is none. */
export function LinkedOfferNotice() {
  const linked = useStore($linked);

  useEffect(() => {
    const open = () => void openLink(location.hash);
    open();
    window.addEventListener('hashchange', open);
    return () => {
      window.removeEventListener('hashchange', open);
      closeLink();
    };
  }, []);

  if (linked.status !== 'unknown') return null;
  return (
    <div className="notice unknown-offer">
      <p role="status">The offer of this link was not found. It may have been erased.</p>
      <button type="button" className="icon" aria-label="Dismiss notice" onClick={closeLink}>
        <CloseIcon />
      </button>
    </div>
  );
}
