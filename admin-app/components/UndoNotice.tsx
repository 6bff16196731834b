import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { $undo, undo } from '../stores/admin.ts';
import type { Change } from '../stores/offer-status.ts';
import { DomainName } from './DomainName.tsx';
import './undo-notice.css';

/** Offers to undo the last change of a status. Always there, so that screen readers notice its change. */
export function UndoNotice() {
  const change = useStore($undo);
  return (
    <div className="undo" role="status">
      {change && <Notice change={change} />}
    </div>
  );
}

function Notice({ change: { id, domain, from, to } }: { change: Change }) {
  const box = useRef<HTMLDivElement>(null);
  useUndoKey();
  useFocusBack(box, id);

  return (
    <div ref={box}>
      <p key={`${id} ${from} ${to}`}>
        <DomainName name={domain} />: {from} → {to}.
      </p>
      <button type="button" className="button quiet" onClick={undo} aria-keyshortcuts="Control+Z Meta+Z">
        Undo
      </button>
    </div>
  );
}

/** Undoes with Ctrl+Z or Cmd+Z, except in a text field, which has its own. */
function useUndoKey() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      if (document.activeElement?.matches('input, textarea, [contenteditable]')) return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Moves the focus to the offer's field, or the list's heading, where the notice had it when it ended. */
function useFocusBack(box: React.RefObject<HTMLElement | null>, id: string) {
  useLayoutEffect(() => {
    const { current } = box;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const field = document.querySelector<HTMLElement>(`select[data-offer="${CSS.escape(id)}"]`);
      (field ?? document.getElementById('offers-title'))?.focus({ preventScroll: true });
    };
  }, [box, id]);
}
