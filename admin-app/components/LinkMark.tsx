import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { $linked, historyQuery, linkedOfferFocused, negotiationQuery, openHistory } from '../stores/admin.ts';

/** Marks the row of the offer that the URL names, opens it, and moves the focus to it once. */
export function LinkMark({ id }: { id: string }) {
  const linked = useStore($linked);
  return linked.status === 'found' && linked.id === id ? <Mark id={id} isFocused={linked.isFocused} /> : null;
}

function Mark({ id, isFocused }: { id: string; isFocused: boolean }) {
  const mark = useRef<HTMLSpanElement>(null);
  const history = useQuery(historyQuery(id));
  const negotiation = useQuery(negotiationQuery(id));
  const isOpened = !history.isPending && !negotiation.isPending;

  useEffect(() => {
    const row = mark.current?.closest('tr');
    if (!row || isFocused) return;
    row.tabIndex = -1;
    row.scrollIntoView({ block: 'center' });
    row.focus({ preventScroll: true });
    openHistory(id);
    linkedOfferFocused();
  }, [id, isFocused]);

  // The opened row is higher, and may end below the window.
  useEffect(() => {
    const row = mark.current?.closest('tr');
    if (isOpened && row === document.activeElement) row?.scrollIntoView({ block: 'nearest' });
  }, [isOpened]);

  return <span ref={mark} className="link-mark" hidden />;
}
