/** What is wrong with the pages that are served, as the dashboard shows it. */
import { queryOptions } from '@tanstack/react-query';
import type { readSiteProblems } from '../api/health.ts';
import { POLL } from './session-cache.ts';

/** Time between two readings, in milliseconds. */
const SITE_POLL_INTERVAL_MS = 60_000;

/** @param readBotCheckProblem why no offer can be made, undefined while one can */
export function createSiteProblems(
  read: typeof readSiteProblems,
  readBotCheckProblem: (signal: AbortSignal) => Promise<string | undefined>,
) {
  return {
    siteQuery: queryOptions({
      ...POLL,
      refetchInterval: SITE_POLL_INTERVAL_MS,
      queryKey: ['site'],
      queryFn: ({ signal }) => read(signal),
    }),

    /** Read once for each sign-in. */
    botCheckQuery: queryOptions({
      queryKey: ['bot check'],
      queryFn: async ({ signal }) => (await readBotCheckProblem(signal)) ?? null,
      staleTime: 'static',
    }),
  };
}
