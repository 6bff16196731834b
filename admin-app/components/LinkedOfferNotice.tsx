import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { $linked, closeLink, openView } from '../stores/admin.ts';
import { DismissButton } from './DismissButton.tsx';
import './linked-offer-notice.css';

/** Follows the URL's fragment, and shows a message where the offer that it names is missing. */
export function LinkedOfferNotice() {
  const linked = useStore($linked);

  useEffect(() => {
    const open = () => openView(location.hash);
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
      <DismissButton what="notice" onClick={closeLink} />
    </div>
  );
}
