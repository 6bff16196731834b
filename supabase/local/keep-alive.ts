/** Keeps one child process running: started again when it dies, ended in an orderly way when asked. */
import type { ChildProcess } from 'node:child_process';

export interface Kept {
  /** Whether the process has said that it is up. */
  isUp(): boolean;
  /** Whether it ever was. */
  everUp(): boolean;
  /** Ends it and starts it anew. */
  restart(): void;
  /** Ends it for good; killed after a while if it does not listen. */
  stop(): Promise<void>;
}

interface Started {
  child: ChildProcess;
  askToStop(): void;
}

/** Pause before the next start, doubled up to the longest, in milliseconds. */
const PAUSE = { first: 100, longest: 5_000 };
/** How long an orderly end may take, in milliseconds. */
const PATIENCE = 1_000;

export function keepAlive(
  name: string,
  onLog: (line: string) => void,
  start: (up: () => void) => Started,
): Kept {
  let up = false;
  let everUp = false;
  let stopping = false;
  let pause = PAUSE.first;
  let current: Started | undefined;

  /** @throws what `start` throws, the first time; later it is one more reason to try again */
  function launch(): void {
    let over = false;
    const end = (event: string, details: Record<string, unknown>) => {
      if (over) return;
      over = true;
      up = false;
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
    try {
      current = start(() => {
        up = everUp = true;
        pause = PAUSE.first;
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
  }

  const line = (event: string, details: Record<string, unknown>) =>
    JSON.stringify({ time: new Date().toISOString(), level: 'warn', source: name, event, ...details });

  launch();
  return {
    isUp: () => up,
    everUp: () => everUp,
    restart: () => current?.askToStop(),
    stop: async () => {
      stopping = true;
      if (!current) return;
      const { child, askToStop } = current;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      askToStop();
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      await ended;
      clearTimeout(timer);
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
