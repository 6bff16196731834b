/** What is wrong with the pages that are served, as the dashboard shows it. */
import { atom } from 'nanostores';
import type { readSiteProblems, SiteProblems } from '../api/health.ts';

/** Time between two readings, in milliseconds. */
export const SITE_POLL_INTERVAL_MS = 60_000;

const NONE: SiteProblems = {};

/** @param readBotCheckProblem why no offer can be made, undefined while one can; read once for each sign-in */
export function createSiteProblems(
  read: typeof readSiteProblems,
  readBotCheckProblem: (signal: AbortSignal) => Promise<string | undefined> = async () => undefined,
) {
  const $siteProblems = atom<SiteProblems>(NONE);
  let isAvailable = true;
  let isBotCheckRead = false;

  /** Reads the report. Does nothing where the server has none. An error leaves what is known. */
  async function checkSite(signal: AbortSignal): Promise<void> {
    if (!isBotCheckRead) {
      const botCheck = await readBotCheckProblem(signal);
      if (signal.aborted) return;
      isBotCheckRead = true;
      if (botCheck !== undefined) $siteProblems.set({ ...$siteProblems.get(), botCheck });
    }
    if (!isAvailable) return;
    const response = await read(signal);
    if (signal.aborted) return;
    isAvailable = response !== 'unavailable';
    const { catalogue, pages } = response === 'unavailable' ? NONE : response;
    const now = $siteProblems.get();
    if (catalogue !== now.catalogue || pages !== now.pages) $siteProblems.set({ ...now, catalogue, pages });
  }

  /** Clears everything on sign-out. */
  function forgetSite(): void {
    isAvailable = true;
    isBotCheckRead = false;
    $siteProblems.set(NONE);
  }

  return { $siteProblems, checkSite, forgetSite };
}
