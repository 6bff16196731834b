/** Builds at a start and after edits, while the last good build is served. */

import { checkAdminHost, type Settings } from '../../config/settings.ts';
import { messageFor } from '../../process/report-and-exit.ts';
import { isFresh } from '../../site-builder/build-hash.ts';
import { buildSite, hasBuild, prepareCatalogue } from '../../site-builder/build-site.ts';
import type { BuildFollower } from '../catalogue-publication/follow-builds.ts';
import { watchCatalogue } from './watch-catalogue.ts';

/** The last error that was printed although the product is served. */
let reported = '';

/**
 * Reports what is wrong with the catalogue, while the last good build is served.
 * @throws its error where there never was a good build
 */
export function checkCatalogue(settings: Settings, console: Console): void {
  try {
    const names = prepareCatalogue().domains.map(({ name }) => name);
    checkAdminHost(settings, names);
  } catch (error) {
    if (!hasBuild()) throw error;
    reportServedBuild(error, console);
  }
}

/** Builds if needed. After an error the last good build is served, if there is one. */
export async function buildIfPossible(
  settings: Settings,
  signal: AbortSignal,
  console: Console,
): Promise<void> {
  try {
    if (!isFresh(settings)) await buildSite(settings, { signal, console });
  } catch (error) {
    if (!hasBuild()) throw error;
    reportServedBuild(error, console);
  }
}

/**
 * One build after the other: an edit during a build, or before this was called, starts another one.
 * @returns a function that ends it
 */
export function buildAfterEdits(
  settings: Settings,
  follower: BuildFollower,
  signal: AbortSignal,
  console: Console,
): () => void {
  let last = Promise.resolve();
  const onEdit = () => {
    last = last.then(async () => {
      try {
        prepareCatalogue();
        const readAt = new Date();
        // An edit that was taken back may have taken back a change in the dashboard.
        if (isFresh(settings)) return await follower.confirm(readAt);
        await buildSite(settings, { signal, console });
        await follower.check();
      } catch (error) {
        reportServedBuild(error, console);
      }
    });
  };
  console.log('Watching the catalogue: each edit is built and served.');
  return watchCatalogue(onEdit);
}

/** Prints an error and what is served in spite of it; the same error once. */
function reportServedBuild(error: unknown, console: Console): void {
  const message = messageFor(error) ?? String(error);
  if (message !== reported)
    console.error(`\n${message}\nThe last good build is served until this is corrected.\n`);
  reported = message;
}
