/** Polling: tasks that are repeated while the tab is visible, one request at a time. */

/** Default time between the end of a poll and the next one, in milliseconds. */
export const POLL_INTERVAL_MS = 10_000;

/** Longest time between polls, which doubles with each failure, in milliseconds. */
export const MAX_POLL_INTERVAL_MS = 5 * 60_000;

/** A request, or several one after the other. Throws where it failed. */
export type PollTask = (signal: AbortSignal) => Promise<void>;

/**
 * @param tasks run one after the other; one that fails does not stop the others
 * @param onFailure is called with each error of a task
 * @param interval time between the end of a poll and the next one, in milliseconds
 */
export function createPoller(
  tasks: readonly PollTask[],
  onFailure: (error: unknown) => void = () => {},
  interval = POLL_INTERVAL_MS,
) {
  /** Aborted while there is no polling. */
  let polling = AbortSignal.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnderWay = false;
  /** Whether a poll was requested while one was under way. */
  let isRequested = false;
  let failures = 0;

  /** Polls at once and from then on. @returns a function that stops it and aborts the request in flight */
  function start(): () => void {
    const stopping = new AbortController();
    polling = stopping.signal;
    isUnderWay = false;
    failures = 0;
    const onChange = () => (document.hidden ? clearTimeout(timer) : pollNow());
    document.addEventListener('visibilitychange', onChange, { signal: polling });
    pollNow();
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }

  /** Polls without waiting for the interval, after the poll that is under way. */
  function pollNow(): void {
    if (polling.aborted || document.hidden) return;
    isRequested = true;
    if (!isUnderWay) void poll(polling);
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
    if (document.hidden) return;
    if (isRequested) return poll(signal);
    timer = setTimeout(pollNow, Math.min(interval * 2 ** failures, MAX_POLL_INTERVAL_MS));
  }

  return { start, pollNow };
}
