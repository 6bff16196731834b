import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { $undo, closeUndo, pauseUndo, resumeUndo, undo } from '../stores/admin.ts';
import type { Change } from '../stores/undo.ts';
import { DismissButton } from './DismissButton.tsx';
import { useShownName } from './shown-names.ts';
import './undo-notice.css';

/** Offers to undo the last change of a status. Always there, so that screen readers notice its change. */
export function UndoNotice() {
  const change = useStore($undo);
  return (
    <div className="undo" role="status">
      {/* Another change gets a new notice, which is in place anew. */}
      {change && <Notice key={`${change.id} ${change.from} ${change.to}`} change={change} />}
    </div>
  );
}

function Notice({ change }: { change: Change }) {
  const { domain, from, to } = change;
  const box = useRef<HTMLDivElement>(null);
  const isAtTop = useIsAtTop(box);
  useUndoKey();
  useFocusBack(box, change.id);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only stops the time
    <div
      ref={box}
      data-at-top={isAtTop || undefined}
      onPointerEnter={pauseUndo}
      onPointerLeave={({ currentTarget }) => currentTarget.matches(':focus-within') || resumeUndo()}
      onFocus={pauseUndo}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isUsed = currentTarget.contains(relatedTarget) || currentTarget.matches(':hover');
        if (!isUsed) resumeUndo();
      }}
    >
      <p>
        <bdi>{useShownName(domain)}</bdi>: {from} → {to}.
      </p>
      <button type="button" className="button quiet" onClick={undo} aria-keyshortcuts="Control+Z Meta+Z">
        Undo
      </button>
      <DismissButton what="notice" onClick={closeUndo} />
    </div>
  );
}

/** Whether the notice stands at the top: at the bottom it would cover the field that was used. */
function useIsAtTop(box: React.RefObject<HTMLElement | null>): boolean {
  const [isAtTop, setAtTop] = useState(false);
  useLayoutEffect(() => {
    const field = document.activeElement?.closest('tr');
    const notice = box.current?.getBoundingClientRect();
    if (!field || !notice) return;
    const { top, bottom } = field.getBoundingClientRect();
    setAtTop(top < notice.bottom && bottom > notice.top);
  }, [box]);
  return isAtTop;
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
