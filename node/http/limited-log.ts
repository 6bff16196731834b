/** Longest run of lines at once, and how many a second come back. */
const BURST = 20;
const PER_SECOND = 2;

/**
 * Logs lines up to a rate; beyond it they are counted, and the next line says how many were left out. For what a
 * visitor can cause at will: a flood of requests must not fill the disk.
 */
export function limitedLog(
  write: (line: string) => void = (line) => console.error(line),
  now: () => number = Date.now,
) {
  let room = BURST;
  let last = now();
  let leftOut = 0;
  return (line: string): void => {
    const at = now();
    room = Math.min(BURST, room + ((at - last) / 1_000) * PER_SECOND);
    last = at;
    if (room < 1) {
      leftOut += 1;
      return;
    }
    room -= 1;
    if (leftOut > 0) write(`${leftOut} similar lines were left out.`);
    leftOut = 0;
    write(line);
  };
}
