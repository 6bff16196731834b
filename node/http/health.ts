import { loadCatalogue } from '../../src/catalogue/load.ts';
import type { StaticPages } from './static-pages.ts';

type PartStatus = 'ok' | 'degraded';

/** The parts of the product that `GET /health` reports, in the order of the report. */
const PARTS = ['pages', 'database', 'functions', 'messages', 'catalogue'] as const;
type Part = (typeof PARTS)[number];

/**
 * What `GET /health` says. `status` is `degraded` where a part is. Visitors see `status` alone; `reasons` has a sentence
 * for each degraded part.
 */
export interface Health extends Record<Part, PartStatus> {
  readonly status: PartStatus;
  readonly reasons: Partial<Record<Part, string>>;
}

/** What the backend reports of its processes: a sentence where one is degraded. */
export interface BackendHealth {
  health(): Promise<{ database: true | string; functions: true | string }>;
}

/** How long a report is good for, in milliseconds: a flood of requests asks the backend no more often. */
const MAX_AGE_MS = 1_000;

/** @param backend undefined where a hosted project is the backend: its parts are not checked from here */
export function createHealth(
  pages: Pick<StaticPages, 'problem'>,
  backend: BackendHealth | undefined,
  readCatalogue: () => unknown = loadCatalogue,
): () => Promise<Health> {
  let latest: { at: number; report: Promise<Health> } | undefined;
  return () => {
    if (!latest || Date.now() - latest.at > MAX_AGE_MS) latest = { at: Date.now(), report: report() };
    return latest.report;
  };

  async function report(): Promise<Health> {
    const behind = await backend?.health();
    const reasons: Partial<Record<Part, string>> = Object.fromEntries(
      Object.entries({
        pages: pages.problem(),
        database: problemOf(behind?.database),
        functions: problemOf(behind?.functions),
        catalogue: catalogueProblem(readCatalogue),
      }).filter(([, reason]) => reason !== undefined),
    );
    const parts = PARTS.map((part) => [part, reasons[part] === undefined ? 'ok' : 'degraded']);
    const status = Object.keys(reasons).length === 0 ? 'ok' : 'degraded';
    return { status, ...(Object.fromEntries(parts) as Record<Part, PartStatus>), reasons };
  }
}

function problemOf(state: true | string | undefined): string | undefined {
  return typeof state === 'string' ? state : undefined;
}

/** What is wrong with the catalogue's file, with file, line, entry and field; the pages on the air are the last good ones. */
function catalogueProblem(readCatalogue: () => unknown): string | undefined {
  try {
    readCatalogue();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
