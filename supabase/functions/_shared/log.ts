/**
 * The log: one JSON line a request, without any token, ip, email, password or text of an offer. The number of lines is
 * limited, so that a flood of requests does not fill the disk; one line then reports how many were left out.
 */

/** Limit of each function, for requests and again for errors; also the size of a burst. */
const LINES_PER_SECOND = 20;

/** Delay before a function logs how many lines it left out. */
const LEFT_OUT_DELAY_MS = 1_000;

/** Functions whose successful responses are not logged: every visitor causes some, or a clock does. */
const QUIET_FUNCTIONS = ['bot-check', 'deliver'];

/** Logs a request. */
export function logRequest(name: string, requestId: string, status: number, milliseconds: number): void {
  if (QUIET_FUNCTIONS.includes(name) && status === 200) return;
  limitedWriter(name, (text) => console.log(text))({
    event: 'request',
    function: name,
    request_id: requestId,
    status,
    ms: Math.round(milliseconds),
  });
}

/** Logs how many messages were sent and failed, by kind; nothing where there were none. */
export function logMessages(kinds: Record<string, object>): void {
  if (Object.keys(kinds).length === 0) return;
  limitedWriter('deliver', (text) => console.log(text))({ event: 'messages', function: 'deliver', ...kinds });
}

/** @param reason without personal data: the name of an error, not its message */
export function logError(
  name: string,
  event: string,
  reason: string,
  more: Record<string, string> = {},
): void {
  limitedWriter(`${name} (errors)`, (text) => console.error(text))({
    event,
    function: name,
    reason,
    ...more,
  });
}

type WriteLine = (line: object) => void;

const writers = new Map<string, WriteLine>();

function limitedWriter(name: string, print: (text: string) => void): WriteLine {
  const writer = writers.get(name) ?? createLimitedWriter(name, print);
  writers.set(name, writer);
  return writer;
}

/** A token bucket of lines. */
export function createLimitedWriter(name: string, print: (text: string) => void): WriteLine {
  let tokens = LINES_PER_SECOND;
  let filledAt = Date.now();
  let leftOut = 0;
  const printLine = (line: object) => print(JSON.stringify({ time: new Date().toISOString(), ...line }));
  const printLeftOut = () => {
    printLine({ event: 'lines_left_out', function: name, lines: leftOut });
    leftOut = 0;
  };
  return (line) => {
    const now = Date.now();
    tokens = Math.min(LINES_PER_SECOND, tokens + (Math.max(0, now - filledAt) / 1000) * LINES_PER_SECOND);
    filledAt = now;
    if (tokens >= 1) {
      tokens -= 1;
      printLine(line);
      return;
    }
    if (leftOut === 0) setTimeout(printLeftOut, LEFT_OUT_DELAY_MS);
    leftOut += 1;
  };
}
