import { limitLines } from '#contract/limit-lines.ts';

const LINES_PER_SECOND = 2;

/** Logs lines up to a rate. */
export function limitedLog(console = globalThis.console): (line: string) => void {
  const write = (line: string) => console.error(line);
  return limitLines(write, (count) => write(`${count} similar lines were left out.`), LINES_PER_SECOND);
}
