import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { $pending } from '../stores/admin.ts';

/** Puts the number of pending offers in front of the document's title. */
export function usePendingTitle(title: string): void {
  const pending = useStore($pending) ?? 0;
  useEffect(() => {
    document.title = pending > 0 ? `(${pending}) ${title}` : title;
  }, [pending, title]);
}
