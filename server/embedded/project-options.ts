/** The URL that clients are made with; only the project's own `fetch` leads there. */
export const PROJECT_URL = 'http://embedded';

export interface ProjectOptions {
  readonly dataDir: string;
  /** Settings of the functions, by their names (supabase/functions/_shared/settings.ts). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives the functions' log, line by line. */
  print?(line: string): void;
  /** Called when no further result of the database is reliable: close the project, and open it anew. */
  onFailure?(event: string, details: Record<string, string>): void;
  /** Called after each call of the database that had a result. */
  onResult?(): void;
  /** Runs work that may keep the database busy for long, without a watchdog reporting a fault. */
  duringMaintenance?: DuringMaintenance;
}

export type DuringMaintenance = <Result>(work: () => Promise<Result>) => Promise<Result>;
