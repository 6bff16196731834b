import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { $linked, linkedOfferFocused, openHistory } from '../stores/admin.ts';
import { isTyping } from './is-typing.ts';

/** Marks the row of the offer that the URL names, opens it, and moves the focus to it once. */
export function LinkMark({ id }: { id: string }) {
  const linked = useStore($linked);
  return linked.status === 'found' && linked.id === id ? <Mark id={id} isFocused={linked.isFocused} /> : null;
}

function Mark({ id, isFocused }: { id: string; isFocused: boolean }) {
  const mark = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const row = mark.current?.closest('tr');
    if (!row || isFocused) return;
    if (!isTyping()) {
      row.tabIndex = -1;
      row.scrollIntoView({ block: 'center' });
      row.focus({ preventScroll: true });
    }
    openHistory(id);
    linkedOfferFocused();
  }, [id, isFocused]);

  return <span ref={mark} className="link-mark" hidden />;
}
