import type { Publish } from '#contract/publication.ts';
import { CallError, type Project } from '../backend-client/project.ts';
import { readUnreadAmounts } from '../backend-client/read-amounts.ts';
import { OlderBuildError } from './publish-served.ts';

/** Older than any other. */
const UNKNOWN_TIME = new Date(0).toISOString();
/** The database's code for a build that is older than the published one. */
const OLDER_BUILD = 'PT409';

/**
 * Publishes to a project, and reads the amounts of offers from before amounts were stored, for which it needs the catalogue.
 * @throws OlderBuildError where a newer build is published
 * @throws UserError with the project's error
 */
export function publisherOf(project: Project): Publish {
  return async (publication, keepPrevious) => {
    const {
      entries,
      hosts,
      language,
      build,
      builtAt = UNKNOWN_TIME,
      readAt = builtAt,
      settings,
    } = publication;
    const args = {
      entries,
      hosts,
      keep_previous: keepPrevious,
      language,
      build,
      built_at: builtAt,
      read_at: readAt,
      settings,
    };
    try {
      await project.call('publish_listings', args);
    } catch (error) {
      if (!(error instanceof CallError && error.code === OLDER_BUILD)) throw error;
      throw new OlderBuildError(
        `The catalogue is not published to ${project.url}: that of a newer build is, made at another time or on another machine. ` +
          'If this one is newer, set the clock of this machine right and build again.',
      );
    }
    if (!keepPrevious) await readUnreadAmounts(project, settings.currencies);
  };
}
