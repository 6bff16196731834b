/**
 * The log: one JSON line a request, without any token, ip, email, password or text of an offer. The number of lines is
 * limited, so that a flood of requests does not fill the disk; one line then reports how many were left out.
 */

import { limitLines } from './contract/limit-lines.ts';

/** Limit of each function, for requests and again for errors. */
const LINES_PER_SECOND = 20;

/** Functions whose successful responses are not logged: every visitor causes some, or a scheduler does. */
const QUIET_FUNCTIONS = ['bot-check', 'deliver'];

export interface Log {
  /** Logs a request. */
  request(name: string, requestId: string, status: number, milliseconds: number): void;
  /** Logs how many messages were sent and failed, by kind; nothing where there were none. */
  messages(kinds: Record<string, object>): void;
  /** @param reason without personal data: the name of an error, not its message */
  error(name: string, event: string, reason: string, more?: Record<string, string>): void;
}

/** Creates a log with limits of its own. @param printer receives each line, without a line break */
export function createLog(printer: Pick<Console, 'log' | 'error'>): Log {
  const writers = new Map<string, (line: object) => void>();

  function limitedWriter(method: 'log' | 'error', name: string): (line: object) => void {
    const key = `${method} ${name}`;
    let writer = writers.get(key);
    if (writer === undefined) {
      const write = (line: object) =>
        printer[method](JSON.stringify({ time: new Date().toISOString(), ...line }));
      const writeLeftOut = (lines: number) => write({ event: 'lines_left_out', function: name, lines });
      writer = limitLines(write, writeLeftOut, LINES_PER_SECOND);
      writers.set(key, writer);
    }
    return writer;
  }

  return {
    request(name, requestId, status, milliseconds) {
      if (QUIET_FUNCTIONS.includes(name) && status === 200) return;
      const ms = Math.round(milliseconds);
      limitedWriter('log', name)({ event: 'request', function: name, request_id: requestId, status, ms });
    },
    messages(kinds) {
      if (Object.keys(kinds).length === 0) return;
      limitedWriter('log', 'deliver')({ event: 'messages', function: 'deliver', ...kinds });
    },
    error(name, event, reason, more = {}) {
      limitedWriter('error', name)({ event, function: name, reason, ...more });
    },
  };
}
