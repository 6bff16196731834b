/** Lines at once. */
const BURST = 20;

/** Delay before the number of lines that were left out is reported. */
const LEFT_OUT_DELAY_MS = 1_000;

/**
 * Writes lines of a log up to a rate, and then the number of those that it left out. For events that a client can cause at
 * will: a flood of requests must not fill the disk.
 */
export function limitLines<Line>(
  write: (line: Line) => void,
  writeLeftOut: (count: number) => void,
  linesPerSecond: number,
): (line: Line) => void {
  let tokens = BURST;
  let filledAt = Date.now();
  let leftOut = 0;
  return (line) => {
    const now = Date.now();
    tokens = Math.min(BURST, tokens + (Math.max(0, now - filledAt) / 1_000) * linesPerSecond);
    filledAt = now;
    if (tokens >= 1) {
      tokens -= 1;
      write(line);
      return;
    }
    if (leftOut === 0) {
      setTimeout(() => {
        writeLeftOut(leftOut);
        leftOut = 0;
      }, LEFT_OUT_DELAY_MS);
    }
    leftOut += 1;
  };
}
