/** The server's report of its own parts. Only the server of the pages has one, a hosted project has none. */
import * as z from 'zod/mini';
import { fetchInTime } from './fetch-in-time.ts';

const HealthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  /** A message for each part that is degraded. Missing on hosts without the admin pages. */
  reasons: z.optional(z.object({ catalogue: z.optional(z.string()), pages: z.optional(z.string()) })),
});

/** What is wrong with the pages that are served. Both are missing if nothing is. */
export interface SiteProblems {
  /** The problems in the catalogue, one a line, with file, line, entry and field. */
  readonly catalogue?: string | undefined;
  /** Why the new pages cannot be served. */
  readonly pages?: string | undefined;
  /** Why no offer can be made: pages and functions have different bot checks. */
  readonly botCheck?: string | undefined;
}

/**
 * `unavailable` where the server of the pages has no report.
 * @param request is replaced by tests
 * @throws where there is no response for the moment
 */
export async function readSiteProblems(
  signal: AbortSignal,
  request = fetchInTime,
): Promise<SiteProblems | 'unavailable'> {
  const response = await request('/health', { signal, cache: 'no-store' });
  const report = HealthSchema.safeParse(await jsonOf(response));
  if (report.success) return report.data.reasons ?? {};
  // Of a proxy, while the server restarts.
  if (response.status >= 500) throw new Error(`/health returned ${response.status}`);
  return 'unavailable';
}

/** The response's JSON; undefined if it is something else, as the page of a static host. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
