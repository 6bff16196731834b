/** Times in milliseconds. */
export const WATCHDOG_TIMES = {
  /** From one probe to the next. */
  interval: 1_000,
  /** Of one probe. */
  timeout: 5_000,
  /** Time without a good probe after which what is watched counts as hanging. */
  limit: 10_000,
  /** The same while it has announced long work. */
  busyLimit: 120_000,
  /** Age of the last good probe up to which it counts as healthy; then it is probed again. */
  fresh: 3_000,
};

export interface WatchdogOptions {
  /** @throws when no response comes in time, or a wrong one */
  probe(timeoutMs: number): Promise<void>;
  /** Whether long work is announced, during which probes may fail. */
  isBusy(): boolean;
  /** Called once when the limit is over. @param ms time since the last good probe */
  onHanging(reason: string, ms: number): void;
  readonly times: typeof WATCHDOG_TIMES;
}

/**
 * Probes what it watches at an interval, from `begin` to `end`. Under load a probe waits behind the calls that came before it:
 * any right result meanwhile is as good as its own.
 */
export function createWatchdog({ probe, isBusy, onHanging, times }: WatchdogOptions) {
  let next: NodeJS.Timeout | undefined;
  /** Incremented by each `begin` and `end`: an earlier probe that responds later counts no more. */
  let round = 0;
  /** Time of the last good probe or other right result (monotonic clock), and number of failed probes since. */
  let lastGood = 0;
  let failures = 0;
  /** When long work was last announced. */
  let lastBusy = 0;

  /** Time until the limit is over. After long work there is the whole limit again. */
  function timeLeft(): number {
    const now = performance.now();
    if (!isBusy()) return times.limit - (now - Math.max(lastGood, lastBusy));
    lastBusy = now;
    return times.busyLimit - (now - lastGood);
  }

  function noteRight(): void {
    lastGood = performance.now();
    failures = 0;
  }

  /** Returns why the probe failed; undefined also where another result was right meanwhile. */
  async function run(timeoutMs: number): Promise<string | undefined> {
    const at = round;
    const since = performance.now();
    try {
      await probe(timeoutMs);
    } catch (error) {
      if (lastGood > since) return undefined;
      if (at === round) failures += 1;
      return (error as Error).message || (error as Error).name;
    }
    if (at === round) noteRight();
    return undefined;
  }

  async function watch(): Promise<void> {
    const at = round;
    const left = Math.max(timeLeft(), times.interval);
    // From the second failure on a probe ends with the limit, so that what hangs is reported then.
    const reason = await run(failures > 0 ? Math.min(left + 1, times.timeout) : times.timeout);
    if (at !== round) return;
    // A single failure may come from a suspension of this process itself.
    if (reason === undefined || failures < 2 || timeLeft() >= 0) {
      next = setTimeout(watch, times.interval).unref();
    } else {
      onHanging(reason, Math.round(performance.now() - lastGood));
    }
  }

  return {
    /** It has just given a right response. */
    begin(): void {
      round += 1;
      noteRight();
      next = setTimeout(watch, times.interval).unref();
    },
    end(): void {
      round += 1;
      clearTimeout(next);
    },
    /** Between `begin` and `end`: a result other than a probe's was right. */
    noteRight,
    /** Why it does not respond; undefined where it does, or did just now. */
    findProblem: async (): Promise<string | undefined> =>
      failures === 0 && performance.now() - lastGood < times.fresh ? undefined : await run(times.fresh),
  };
}
