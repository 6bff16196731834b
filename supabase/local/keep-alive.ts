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
  let current = launch();

  function launch(): Started {
    const started = start(() => {
      up = everUp = true;
      pause = PAUSE.first;
    });
    started.child.on('error', (error) => onLog(line('not_started', { reason: error.message })));
    started.child.once('exit', (code, signal) => {
      up = false;
      // A process that never was up tells why by itself; starting it again would only repeat it.
      if (stopping || !everUp) return;
      onLog(line('ended', { code, signal, next_start_in_ms: pause }));
      setTimeout(() => {
        if (!stopping) current = launch();
      }, pause);
      pause = Math.min(pause * 2, PAUSE.longest);
    });
    return started;
  }

  const line = (event: string, details: Record<string, unknown>) =>
    JSON.stringify({ time: new Date().toISOString(), level: 'warn', source: name, event, ...details });

  return {
    isUp: () => up,
    everUp: () => everUp,
    restart: () => current.askToStop(),
    stop: async () => {
      stopping = true;
      const { child } = current;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      current.askToStop();
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
      await ended;
      clearTimeout(timer);
    },
  };
}
