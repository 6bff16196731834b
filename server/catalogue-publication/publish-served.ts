import type { Publication, Publish } from '#contract/publication.ts';
import { UserError } from '../../process/user-error.ts';

/** A publication of a build that is older than the published one. */
export class OlderBuildError extends UserError {}

/**
 * Publishes the catalogue of the pages that are served from the start. Never throws: the pages are served in any case.
 * @returns whether nothing is left to publish until there is a new build
 */
export async function publishServed(
  publication: Publication | undefined,
  publish: Publish | undefined,
  onError: (problem: string) => void = (problem) => console.error(problem),
): Promise<boolean> {
  try {
    if (publication) await publish?.(publication, false);
    return true;
  } catch (error) {
    const isOlder = error instanceof OlderBuildError;
    const rest = isOlder
      ? 'The pages of the older build are served here: run npm run build with the newest catalogue.'
      : 'The pages are served; publishing is tried again.';
    onError(`${error instanceof Error ? error.message : error}\n${rest}`);
    return isOlder;
  }
}
