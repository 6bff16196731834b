/**
 * Supervises one child process: starts it again when it ends, kills it when it is silent or wrong for too long, and
 * stops it in an orderly way when asked.
 */
import type { ChildProcess } from 'node:child_process';

export interface Supervised {
  /** Whether the process has said that it is up. */
  isUp(): boolean;
  /** Whether it ever was. */
  everUp(): boolean;
  /** True, or a sentence that says why the process does not work. */
  health(): Promise<true | string>;
  /** Ends it and starts it anew. */
  restart(): void;
  /** Ends it for good; killed after a while if it does not listen. */
  stop(): Promise<void>;
}

interface Started {
  child: ChildProcess;
  requestStop(): void;
}

export interface Probe {
  /** @throws when the process does not answer before the signal aborts, or answers wrongly */
  check(signal: AbortSignal): Promise<void>;
  /** Whether the process has announced that it may be silent for long. */
  isBusy?(): boolean;
}

/** Pause before the next start, doubled up to the longest, in milliseconds. */
const PAUSE = { first: 100, longest: 5_000 };
/** How long an orderly end may take, in milliseconds. */
const PATIENCE = 1_000;

/** Times of the probe, in milliseconds. */
const PROBE = {
  interval: 1_000,
  timeout: 5_000,
  /** How long a process may be silent or wrong before it is killed. */
  limit: 10_000,
  /** The same for a process that has announced long work on its files. */
  busyLimit: 120_000,
  /** How long a start may take, except the first. */
  startLimit: 120_000,
  /** How old the last good probe may be for a process that counts as healthy; then it is probed again. */
  fresh: 3_000,
};

export function supervise(
  name: string,
  onLog: (line: string) => void,
  start: (up: () => void) => Started,
  probe?: Probe,
  times: typeof PROBE = PROBE,
): Supervised {
  let up = false;
  let everUp = false;
  let stopping = false;
  let pause = PAUSE.first;
  let current: Started | undefined;
  /** When the process was right last (by the monotonic clock), and how often it was not since. */
  let lastGood = 0;
  let failures = 0;

  /** @throws what `start` throws, the first time; later it is one more reason to try again */
  function launch(): void {
    let over = false;
    let nextProbe: NodeJS.Timeout | undefined;
    const end = (event: string, details: Record<string, unknown>) => {
      if (over) return;
      over = true;
      up = false;
      clearTimeout(nextProbe);
      // A process that never was up tells why by itself; starting it again would only repeat it.
      const again = !stopping && everUp;
      if (again || event === 'not_started') {
        onLog(line(event, again ? { ...details, next_start_in_ms: pause } : details));
      }
      if (!again) return;
      setTimeout(() => {
        if (!stopping) launch();
      }, pause);
      pause = Math.min(pause * 2, PAUSE.longest);
    };
    const runProbe = async (used: Probe) => {
      const reason = await failureOf(used);
      if (over || stopping) return;
      const silence = performance.now() - lastGood;
      const limit = used.isBusy?.() ? times.busyLimit : times.limit;
      // One failure may be this process's own: it may have been suspended itself.
      if (reason !== undefined && failures > 1 && silence > limit) {
        onLog(line('killed', { reason, not_right_for_ms: Math.round(silence) }));
        current?.child.kill('SIGKILL');
        return;
      }
      nextProbe = setTimeout(runProbe, times.interval, used).unref();
    };
    try {
      current = start(() => {
        up = everUp = true;
        pause = PAUSE.first;
        lastGood = performance.now();
        failures = 0;
        if (probe) nextProbe = setTimeout(runProbe, times.interval, probe).unref();
      });
    } catch (error) {
      if (!everUp) throw error;
      end('not_started', { reason: reasonOf(error) });
      return;
    }
    const { child } = current;
    child.on('error', (error) => {
      // One that runs tells so of a signal it did not get. One that could not be started has no other end.
      if (child.pid === undefined) end('not_started', { reason: reasonOf(error) });
      else onLog(line('failed', { reason: reasonOf(error) }));
    });
    child.once('exit', (code, signal) => end('ended', { code, signal }));
    if (!everUp || up) return;
    const late = setTimeout(() => {
      if (!up) child.kill('SIGKILL');
    }, times.startLimit).unref();
    child.once('exit', () => clearTimeout(late));
  }

  /** @returns why the process failed the probe, or undefined when it was right */
  async function failureOf({ check }: Probe, timeout = times.timeout): Promise<string | undefined> {
    try {
      await check(AbortSignal.timeout(timeout));
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
    isUp: () => up,
    everUp: () => everUp,
    health: async () => {
      if (!up) return `The ${name} process is starting.`;
      if (!probe || (failures === 0 && performance.now() - lastGood < times.fresh)) return true;
      const reason = await failureOf(probe, times.fresh);
      return reason === undefined || `The ${name} process does not work (${reason}).`;
    },
    restart: () => current?.requestStop(),
    stop: async () => {
      stopping = true;
      if (!current) return;
      const { child, requestStop } = current;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      requestStop();
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      await ended;
      clearTimeout(timer);
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
