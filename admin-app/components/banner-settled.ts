import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { $messages } from '../stores/admin.ts';

/** How long the list waits for the banner above it, in milliseconds. */
const BANNER_TIMEOUT_MS = 1_000;

/** Whether the list may be shown: a banner that appears above it later would move it. */
export function useIsBannerSettled(): boolean {
  const isKnown = useStore($messages).status !== 'checking';
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), BANNER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isKnown || isOverdue;
}
