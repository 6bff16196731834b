/** Polling: tasks that are repeated while the tab is visible, one request at a time. */

/** Default time between the end of a poll and the next one, in milliseconds. */
export const POLL_INTERVAL_MS = 10_000;

/** Longest time between polls, which doubles with each failure, in milliseconds. */
export const MAX_POLL_INTERVAL_MS = 5 * 60_000;

/** A request, or several one after the other. Throws where it failed. */
export type PollTask = (signal: AbortSignal) => Promise<void>;

export interface TabVisibility {
  isHidden(): boolean;
  /** @returns a function that removes the listener */
  listen(onChange: () => void): () => void;
}

/**
 * @param tasks run one after the other; one that fails does not stop the others
 * @param onFailure is called with each error of a task
 * @param interval time between the end of a poll and the next one, in milliseconds
 */
export function createPoller(
  tasks: readonly PollTask[],
  tab: TabVisibility,
  onFailure: (error: unknown) => void = () => {},
  interval = POLL_INTERVAL_MS,
) {
  /** Aborted by `stop`; undefined while there is no polling. */
  let polling: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnderWay = false;
  /** Whether a poll was requested while one was under way. */
  let isRequested = false;
  let failures = 0;

  /** Polls at once and from then on. @returns a function that stops it and aborts the request in flight */
  function start(): () => void {
    const mine = new AbortController();
    polling = mine;
    isUnderWay = false;
    failures = 0;
    const stopListening = tab.listen(() => {
      if (tab.isHidden()) clearTimeout(timer);
      else pollNow();
    });
    pollNow();
    return () => {
      stopListening();
      if (polling === mine) {
        polling = undefined;
        clearTimeout(timer);
      }
      mine.abort();
    };
  }

  /** Polls without waiting for the interval, after the poll that is under way. */
  function pollNow(): void {
    if (!polling || tab.isHidden()) return;
    isRequested = true;
    if (!isUnderWay) void poll(polling.signal);
  }

  async function poll(signal: AbortSignal): Promise<void> {
    clearTimeout(timer);
    isUnderWay = true;
    isRequested = false;
    let hasFailed = false;
    for (const task of tasks) {
      try {
        if (!signal.aborted) await task(signal);
      } catch (error) {
        if (signal.aborted) return;
        hasFailed = true;
        onFailure(error);
      }
    }
    if (signal.aborted) return;
    isUnderWay = false;
    failures = hasFailed ? failures + 1 : 0;
    if (tab.isHidden()) return;
    if (isRequested) return poll(signal);
    timer = setTimeout(pollNow, Math.min(interval * 2 ** failures, MAX_POLL_INTERVAL_MS));
  }

  return { start, pollNow };
}
