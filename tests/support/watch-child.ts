import type { ChildProcess } from 'node:child_process';

export interface WatchedChild {
  /** Everything it has written so far. */
  log(): string;
  /** The exit code. */
  readonly exited: Promise<number | null>;
}

/** Collects what a child process writes, and kills it when this process exits, so that a test that fails leaves none. */
export function watchChild(child: ChildProcess): WatchedChild {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const exited = new Promise<number | null>((done) => {
    child.once('exit', (code) => {
      process.off('exit', kill);
      done(code);
    });
  });
  return { log: () => log, exited };
}
