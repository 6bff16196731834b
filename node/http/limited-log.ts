/** Lines allowed at once, and lines per second after that. */
const BURST = 20;
const PER_SECOND = 2;

/**
 * Logs lines up to a rate. Lines beyond it are dropped and counted, and the next line reports the number. For events that
 * a client can cause at will: a flood of requests must not fill the disk.
 */
export function limitedLog(
  write: (line: string) => void = (line) => console.error(line),
  now: () => number = Date.now,
) {
  let budget = BURST;
  let last = now();
  let dropped = 0;
  return (line: string): void => {
    const at = now();
    budget = Math.min(BURST, budget + ((at - last) / 1_000) * PER_SECOND);
    last = at;
    if (budget < 1) {
      dropped += 1;
      return;
    }
    budget -= 1;
    if (dropped > 0) write(`${dropped} similar lines were left out.`);
    dropped = 0;
    write(line);
  };
}
