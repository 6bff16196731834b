/**
 * The log: one JSON line a request, without any token, ip, email, password or text of an offer. The number of lines is
 * limited, so that a flood of requests does not fill the disk; one line then reports how many were left out.
 */

import { limitLines } from './contract/limit-lines.ts';

/** Limit of each function, for requests and again for errors. */
const LINES_PER_SECOND = 20;

/** Functions whose successful responses are not logged: every visitor causes some, or a scheduler does. */
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

function createLimitedWriter(name: string, print: (text: string) => void): WriteLine {
  const write = (line: object) => print(JSON.stringify({ time: new Date().toISOString(), ...line }));
  const writeLeftOut = (lines: number) => write({ event: 'lines_left_out', function: name, lines });
  return limitLines(write, writeLeftOut, LINES_PER_SECOND);
}
