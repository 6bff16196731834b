/** Logs of the embedded backend: one JSON object a line, without statements' parameters, emails, IPs or secrets. */

type Level = 'info' | 'warn' | 'error';

/** Writes one line to the standard error. `details` must hold no personal data. */
export function log(level: Level, event: string, details: Record<string, unknown> = {}): void {
  process.stderr.write(`${lineOf(level, event, details)}\n`);
}

/** @param details without personal data */
export function lineOf(level: Level, event: string, details: Record<string, unknown>): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, source: 'database', ...details });
}
