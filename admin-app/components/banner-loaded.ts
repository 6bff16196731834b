import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messagesQuery } from '../stores/admin.ts';

/** How long the list waits for the banner above it, in milliseconds. */
const BANNER_TIMEOUT_MS = 1_000;

/** Whether the list may be shown: a banner that appears above it later would move it. */
export function useIsBannerLoaded(): boolean {
  const { isPending, failureCount } = useQuery(messagesQuery);
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), BANNER_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
  return !isPending || failureCount > 0 || isOverdue;
}
