/** Runs the owner's commands in the test's own process. */
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Io, Run } from '../../process/command.ts';
import type { ToolResult } from './terminal.ts';

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** The project's folder; absent: this one. */
  readonly cwd?: string;
  /** Makes it a terminal: called when the command reads a line, with its output so far. */
  readonly typed?: (output: string) => string;
  /** What a pipe brings. */
  readonly input?: string;
}

/** What a command has in place of its process, with what it printed. */
export function newIo({ env = {}, cwd = '.', typed, input }: Options = {}): Io & { text(): string } {
  const isTTY = typed !== undefined;
  let text = '';
  const output = () => {
    const write = (chunk: string | Buffer, _encoding: string, done: () => void) => {
      text += chunk;
      done();
    };
    return Object.assign(new Writable({ decodeStrings: false, write }), { isTTY });
  };
  const stdin = new Readable({
    read() {
      if (typed) this.push(`${typed(text)}\n`);
      if (input !== undefined) this.push(input);
      this.push(null);
    },
  });
  return {
    // Reading the settings takes the secrets out of it.
    env: { ...env },
    cwd: () => resolve(cwd),
    stdin: Object.assign(stdin, { isTTY }),
    stdout: output(),
    stderr: output(),
    text: () => stripVTControlCharacters(text).trim(),
  };
}

/** Runs a command to its end. Its output and errors are in the order in which they were printed. */
export async function runCommand(run: Run, args: readonly string[], options?: Options): Promise<ToolResult> {
  const io = newIo(options);
  const { exitCode } = process;
  const code = await run(args, io);
  // PGlite sets it where it cannot open a database.
  process.exitCode = exitCode;
  return { code, text: io.text() };
}
