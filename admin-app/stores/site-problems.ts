/** What is wrong with the pages that are served, as the dashboard shows it. */
import { atom } from 'nanostores';
import type { HealthApi, SiteProblems } from '../api/health.ts';

/** Time between two readings, in milliseconds. */
export const SITE_POLL_INTERVAL_MS = 60_000;

const NONE: SiteProblems = {};

export function createSiteProblems(api: HealthApi) {
  const $siteProblems = atom<SiteProblems>(NONE);
  let isAvailable = true;

  /** Reads the report. Does nothing where the server has none. An error leaves what is known. */
  async function checkSite(signal: AbortSignal): Promise<void> {
    if (!isAvailable) return;
    const response = await api.readSiteProblems(signal);
    if (signal.aborted) return;
    isAvailable = response !== 'unavailable';
    const { catalogue, pages } = response === 'unavailable' ? NONE : response;
    const now = $siteProblems.get();
    if (catalogue !== now.catalogue || pages !== now.pages) $siteProblems.set({ catalogue, pages });
  }

  /** Clears everything on sign-out. */
  function forgetSite(): void {
    isAvailable = true;
    $siteProblems.set(NONE);
  }

  return { $siteProblems, checkSite, forgetSite };
}
