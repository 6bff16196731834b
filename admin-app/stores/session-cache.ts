/**
 * What the dashboard knows of the server, and what a user chose there. All of it ends with the session: queries are
 * cancelled, so that a response that comes later is dropped, and nothing is left for who signs in next.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { atom } from 'nanostores';
import { SessionEnded } from '../api/with-fresh-token.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** What to log when it fails; undefined for nothing. */
    queryMeta: { failure?: string };
    mutationMeta: { failure?: string };
  }
}

/** Time between two polls, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;

/** Longest time between polls, which doubles with each failure, in milliseconds. */
const MAX_POLL_INTERVAL_MS = 5 * 60_000;

/** Read again and again while the tab is visible, less often while that fails, and no more where a server has no such report. */
export const POLL = {
  refetchInterval: POLL_INTERVAL_MS,
  refetchOnWindowFocus: true,
  retry: (_: number, error: Error) => !(error instanceof SessionEnded),
  retryDelay: (failures: number) => Math.min(POLL_INTERVAL_MS * 2 ** (failures + 1), MAX_POLL_INTERVAL_MS),
} as const;

/** @param onSessionEnded is called where the server has ended the session */
export function createSessionCache(onSessionEnded: () => void) {
  const resets: (() => void)[] = [];

  function report(error: Error, { failure }: { failure?: string } = {}): void {
    if (error instanceof SessionEnded) onSessionEnded();
    else if (failure !== undefined) console.error(failure, error);
  }

  const mutations = new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      const isOfThisSession = mutations.getAll().some(({ mutationId }) => mutationId === mutation.mutationId);
      if (isOfThisSession) report(error, mutation.meta);
    },
  });
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
    mutationCache: mutations,
    defaultOptions: {
      queries: {
        enabled: ({ state }) => state.data !== 'unavailable',
        // A failed request without a network is an error like any other, not a pause.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        retry: false,
      },
      // Failed ones are shown until they are removed.
      mutations: { networkMode: 'always', gcTime: Number.POSITIVE_INFINITY },
    },
  });

  return {
    client,

    /** An atom that gets its first value again when the session ends. */
    sessionAtom<Value>(first: Value) {
      const $atom = atom(first);
      resets.push(() => $atom.set(first));
      return $atom;
    },

    /** Ends everything of the session. */
    clear(): void {
      // One that is still on the page would keep its data, until it is collected minutes after it has left.
      for (const query of client.getQueryCache().getAll()) query.reset();
      // What a response that comes later would write is dropped, too.
      for (const mutation of mutations.getAll()) mutation.setOptions({});
      client.clear();
      for (const reset of resets) reset();
    },
  };
}

export type SessionCache = ReturnType<typeof createSessionCache>;

/** The server's message, or what to show where it has none. */
export function messageOf(error: Error, otherwise: string): string {
  return error.message || otherwise;
}
