type PartStatus = 'ok' | 'degraded';

/** The parts of the product that `GET /health` reports, in the order of the report. */
const PARTS = ['pages', 'database', 'functions', 'messages', 'catalogue'] as const;
type Part = (typeof PARTS)[number];

/**
 * The report of `GET /health`. `status` is `degraded` if a part is. Other hosts than admin hosts get `status` only;
 * `reasons` has a message per degraded part, `build` is the id of the latest build that takes offers.
 */
export interface Health extends Record<Part, PartStatus> {
  readonly status: PartStatus;
  readonly reasons: Partial<Record<Part, string>>;
  readonly build: string | undefined;
}

/**
 * The HTTP status of a report: 503 unless pages and offers work. For a wrong catalogue or messages that are not sent a load
 * balancer must not take the server off: the last good build is served, and offers are stored.
 */
export function statusOf(report: Health): 200 | 503 {
  const down = PARTS.filter((part) => report[part] !== 'ok' && part !== 'catalogue' && part !== 'messages');
  return down.length === 0 ? 200 : 503;
}

/** The report of a backend that is not up yet. */
export const BACKEND_STARTING = {
  database: 'The backend is starting.',
  functions: 'The backend is starting.',
  messages: true,
} as const;

/** Lifetime of a cached report, so that a flood of requests does not query the backend more often. */
const MAX_AGE_MS = 1_000;
/** Of one that says 503: who waits for the backend is not to wait longer than it takes. */
const MAX_AGE_OF_503_MS = 100;

/**
 * @param backend undefined with a hosted project, whose parts are not checked here; reports true, or a message if degraded
 * @param catalogueProblem returns the error of the catalogue with file, line, entry and field. The last valid pages are
 *   still served. Must not block, because the same process serves them
 */
export function createHealth(
  pages: { problem(): string | undefined; build(): string | undefined },
  backend: { health(): Promise<Record<'database' | 'functions' | 'messages', true | string>> } | undefined,
  catalogueProblem: () => Promise<string | undefined>,
): () => Promise<Health> {
  let latest: Promise<Health> | undefined;
  let until = 0;
  return () => {
    if (latest && Date.now() <= until) return latest;
    until = Date.now() + MAX_AGE_MS;
    latest = report();
    return latest;
  };

  async function report(): Promise<Health> {
    const [behind, catalogue] = await Promise.all([backend?.health(), catalogueProblem()]);
    const states = { pages: pages.problem(), ...behind, catalogue };
    const reasons = Object.fromEntries(
      Object.entries(states).filter(([, state]) => typeof state === 'string'),
    ) as Health['reasons'];
    const parts = PARTS.map((part) => [part, part in reasons ? 'degraded' : 'ok']);
    const status = Object.keys(reasons).length === 0 ? 'ok' : 'degraded';
    const byPart = Object.fromEntries(parts) as Record<Part, PartStatus>;
    const made: Health = { status, ...byPart, reasons, build: pages.build() };
    if (statusOf(made) === 503) until = Date.now() + MAX_AGE_OF_503_MS;
    return made;
  }
}
