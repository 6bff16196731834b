import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { Offer } from '#contract/offer.ts';
import { offersStore } from '../stores/admin.ts';
import { isAfter } from '../stores/offer-list.ts';

/** How long a row must be on the screen to count as seen, in milliseconds. */
const SEEN_AFTER_MS = 2_000;

/** How much of a row must be on the screen. */
const SEEN_RATIO = 0.6;

/** Marks the row of an offer that arrived while the dashboard was open, until it was on the screen. */
export function NewMark({ offer }: { offer: Offer }) {
  const openedAt = useStore(offersStore.$openedAt);
  const isNew = openedAt !== undefined && isAfter(offer, openedAt);
  return isNew ? <UnseenMark id={offer.id} /> : null;
}

function UnseenMark({ id }: { id: string }) {
  return useStore(offersStore.$seen).has(id) ? null : <Mark id={id} />;
}

function Mark({ id }: { id: string }) {
  const mark = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const row = mark.current?.closest('tr');
    if (!row) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOnScreen = false;
    const wait = () => {
      clearTimeout(timer);
      if (isOnScreen && document.visibilityState === 'visible') {
        timer = setTimeout(() => offersStore.markSeen(id), SEEN_AFTER_MS);
      }
    };
    const observer = new IntersectionObserver(
      (entries) => {
        isOnScreen = entries.at(-1)?.isIntersecting ?? false;
        wait();
      },
      { threshold: SEEN_RATIO },
    );
    observer.observe(row);
    document.addEventListener('visibilitychange', wait);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', wait);
    };
  }, [id]);

  return (
    <span ref={mark} className="new-mark">
      New
    </span>
  );
}
