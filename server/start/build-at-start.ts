/** Builds at a start, while the last good build is served. */

import { checkAdminHost, type Settings } from '../../config/settings.ts';
import { messageFor } from '../../process/report-and-exit.ts';
import { isFresh } from '../../site-builder/build-hash.ts';
import { buildSite, hasBuild, prepareCatalogue } from '../../site-builder/build-site.ts';

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
    reportServedBuild(messageOf(error), console);
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
    reportServedBuild(messageOf(error), console);
  }
}

/** Prints an error and what is served in spite of it; the same error once. */
export function reportServedBuild(message: string, console: Console): void {
  if (message !== reported)
    console.error(`\n${message}\nThe last good build is served until this is corrected.\n`);
  reported = message;
}

/** Lets the next error be printed, also where it is the same as the last one. */
export function noteGoodBuild(): void {
  reported = '';
}

function messageOf(error: unknown): string {
  return messageFor(error) ?? String(error);
}
