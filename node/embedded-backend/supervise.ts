/**
 * Supervises one child process: starts it again when it ends, kills it when its probe fails for too long, and stops it
 * in an orderly way.
 */
import type { ChildProcess } from 'node:child_process';

interface Started {
  child: ChildProcess;
  requestStop(): void;
}

export interface Probe {
  /** @throws when no response comes before the signal aborts, or a wrong one */
  check(signal: AbortSignal): Promise<void>;
  /** Whether the process has announced long work, during which probes may fail. */
  isBusy?(): boolean;
}

/** Delay before the next start; doubled after each failed one, up to the maximum. */
const RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5_000;
/** Time for an orderly end. */
const STOP_TIMEOUT_MS = 1_000;

/** Times of the probe, in milliseconds. */
const PROBE = {
  interval: 1_000,
  timeout: 5_000,
  /** Time without a good probe after which the process is killed. */
  limit: 10_000,
  /** The same for a process that has announced long work on its files. */
  busyLimit: 120_000,
  /** Time for a start, except the first. */
  startLimit: 120_000,
  /** Age of the last good probe up to which the process counts as healthy; then it is probed again. */
  fresh: 3_000,
};

export function supervise(
  name: string,
  onLog: (line: string) => void,
  start: (up: () => void) => Started,
  probe: Probe,
  times: typeof PROBE = PROBE,
) {
  let up = false;
  let everUp = false;
  let stopping = false;
  let delay = RESTART_DELAY_MS;
  let current: Started;
  /** Time of the last good probe (monotonic clock), and number of failed ones since. */
  let lastGood = 0;
  let failures = 0;
  /** When the process was last seen with long work. */
  let lastBusy = 0;

  /** @throws what `start` throws, the first time; later such an error is logged, and the start repeated */
  function launch(): void {
    let over = false;
    let nextProbe: NodeJS.Timeout | undefined;
    const end = (event: string, details: Record<string, unknown>) => {
      if (over) return;
      over = true;
      up = false;
      clearTimeout(nextProbe);
      // A process that was never up reports the reason itself; starting it again would repeat it.
      const again = !stopping && everUp;
      if (again || event === 'not_started') {
        onLog(line(event, again ? { ...details, next_start_in_ms: delay } : details));
      }
      if (!again) return;
      setTimeout(() => {
        if (!stopping) launch();
      }, delay);
      delay = Math.min(delay * 2, MAX_RESTART_DELAY_MS);
    };
    const runProbe = async () => {
      const left = Math.max(timeLeft(), times.interval);
      // From the second failure on a probe ends with the limit, so that a hanging process is killed then.
      const reason = await probeFailure(failures > 0 ? Math.min(left + 1, times.timeout) : times.timeout);
      if (over || stopping) return;
      // A single failure may come from a suspension of this process itself.
      if (reason !== undefined && failures > 1 && timeLeft() < 0) {
        onLog(line('killed', { reason, not_right_for_ms: Math.round(performance.now() - lastGood) }));
        current.child.kill('SIGKILL');
        return;
      }
      nextProbe = setTimeout(runProbe, times.interval).unref();
    };
    try {
      current = start(() => {
        up = everUp = true;
        delay = RESTART_DELAY_MS;
        lastGood = performance.now();
        failures = 0;
        nextProbe = setTimeout(runProbe, times.interval).unref();
      });
    } catch (error) {
      if (!everUp) throw error;
      end('not_started', { reason: reasonOf(error) });
      return;
    }
    const { child } = current;
    child.on('error', (error) => {
      // A running process emits this for an undelivered signal. One that could not be spawned emits no exit.
      if (child.pid === undefined) end('not_started', { reason: reasonOf(error) });
      else onLog(line('failed', { reason: reasonOf(error) }));
    });
    child.once('exit', (code, signal) => end('ended', { code, signal }));
    if (!everUp || up) return;
    setTimeout(() => {
      if (!up) child.kill('SIGKILL');
    }, times.startLimit).unref();
  }

  /** Time until the process is killed, unless a probe is good before. After long work it has the whole limit again. */
  function timeLeft(): number {
    const now = performance.now();
    if (!probe.isBusy?.()) return times.limit - (now - Math.max(lastGood, lastBusy));
    lastBusy = now;
    return times.busyLimit - (now - lastGood);
  }

  /** @returns why the probe failed, or undefined when it was good */
  async function probeFailure(timeout: number): Promise<string | undefined> {
    try {
      await probe.check(AbortSignal.timeout(timeout));
      lastGood = performance.now();
      failures = 0;
      return undefined;
    } catch (error) {
      failures += 1;
      return reasonOf(error);
    }
  }

  const line = (event: string, details: Record<string, unknown>) =>
    JSON.stringify({ time: new Date().toISOString(), level: 'warn', source: name, event, ...details });

  launch();
  return {
    /** Whether the process has reported that it is up. */
    isUp: () => up,
    everUp: () => everUp,
    /** True, or a message why the process does not work. */
    health: async (): Promise<true | string> => {
      if (!up) return `The ${name} process is starting.`;
      if (failures === 0 && performance.now() - lastGood < times.fresh) return true;
      const reason = await probeFailure(times.fresh);
      return reason === undefined || `The ${name} process does not work (${reason}).`;
    },
    /** Stops it for good; kills it when it has not ended after STOP_TIMEOUT_MS. */
    stop: async () => {
      stopping = true;
      const { child, requestStop } = current;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      requestStop();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
