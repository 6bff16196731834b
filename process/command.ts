/** Commands as functions: they get their arguments and what they need of the process, and return an exit code. */
import { Console } from 'node:console';
import { reportAndExit, reportError } from './report-and-exit.ts';

/** What a command needs of its process: `process` itself, or what a test has in its place. */
export interface Io {
  /** Reading the settings takes the secrets out of it. */
  readonly env: NodeJS.ProcessEnv;
  /** The project's folder. */
  cwd(): string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
}

/** A command. @returns its exit code */
export type Run = (argv: readonly string[], io: Io) => Promise<number>;

/**
 * Makes a command that reports its errors, with exit code 1.
 * @param act returns an exit code other than 0
 */
export function commandOf(act: (argv: string[], io: Io) => Promise<number | undefined>): Run {
  return async (argv, io) => {
    try {
      return (await act([...argv], io)) ?? 0;
    } catch (error) {
      reportError(error, consoleOf(io));
      return 1;
    }
  };
}

/** Prints lines as Node's own console does: without an error where nobody reads them any more. */
export function consoleOf({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Console {
  return new Console({ stdout, stderr });
}

/** Runs a command as this process, and ends it. */
export async function runAsProcess(run: Run): Promise<void> {
  process.on('uncaughtException', reportAndExit);
  const code = await run(process.argv.slice(2), process);
  // A pipe takes 64 kB at once: the rest is written first. Its reader may be gone.
  process.stdout.on('error', () => {}).write('', () => process.exit(code));
}
