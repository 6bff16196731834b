/** Logs of the embedded backend: one JSON object a line, without statements' parameters, emails, IPs or secrets. */

/**
 * Replaces what @supabase/lite 0.10 writes to the console by the code of the error: it logs failed statements with their
 * parameters, which are personal data. Not reported yet; the report is docs/upstream/supabase-lite-0.10.md.
 */
export function keepLogsClean(): void {
  const quiet = (...parts: unknown[]) => {
    const code = parts
      .map((part) => (part as { code?: unknown } | null)?.code)
      .find((found) => found !== undefined);
    if (typeof code === 'string') log('warn', 'backend_message', { code });
  };
  console.log = console.info = console.debug = () => {};
  console.warn = console.error = quiet;
}

type Level = 'info' | 'warn' | 'error';

/** Writes one line to the standard error. `details` must hold no personal data. */
export function log(level: Level, event: string, details: Record<string, unknown> = {}): void {
  process.stderr.write(`${lineOf(level, event, details)}\n`);
}

/** @param details without personal data */
export function lineOf(level: Level, event: string, details: Record<string, unknown>): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, source: 'database', ...details });
}
