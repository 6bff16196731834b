import { Icon } from './Icon.tsx';
import './dismiss-button.css';

/** @param what is dismissed, for screen readers */
export function DismissButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className="icon dismiss" aria-label={`Dismiss ${what}`} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}
