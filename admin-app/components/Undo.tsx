import { type ReactNode, useEffect, useRef } from 'react';
import './undo-notice.css';
import { useFocusBack } from './use-focus-back.ts';

interface Props {
  /** What was changed. */
  children: ReactNode;
  onUndo: () => void;
  /** Gets the focus where the notice had it when it ends. */
  heir: () => HTMLElement | null;
}

/** Offers to undo the last change, also by Ctrl+Z or Cmd+Z. */
export function Undo({ children, onUndo, heir }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useUndoKey(onUndo);
  useFocusBack(box, heir);
  return (
    <div ref={box}>
      <p>{children}</p>
      <button type="button" className="button quiet" onClick={onUndo} aria-keyshortcuts="Control+Z Meta+Z">
        Undo
      </button>
    </div>
  );
}

/** Not in a text field, which has its own. */
function useUndoKey(onUndo: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      if (document.activeElement?.matches('input, textarea, [contenteditable]')) return;
      event.preventDefault();
      onUndo();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onUndo]);
}
