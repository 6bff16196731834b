/**
 * Serves each new build: loaded, then published, then switched to, so that no page is served whose form takes no offers,
 * and no catalogue is published whose pages cannot be served.
 */
import type { Publication, Publish } from '#contract/publication.ts';

export interface FollowedBuilds {
  /** The folder of the build that is live; undefined while there is none. */
  latest(): string | undefined;
  /** The catalogue of a build. */
  publication(folder: string): Publication | undefined;
  /** Returns what switches to a build. @throws if it cannot be served */
  load(folder: string): () => void;
}

export type BuildFollower = ReturnType<typeof followBuilds>;

const INTERVAL_MS = 1_000;

/**
 * @param served the folder of the build that is served and whose catalogue is published; undefined: neither is certain
 * @param publish undefined if nothing is published from here
 */
export function followBuilds(
  builds: FollowedBuilds,
  served: string | undefined,
  publish: Publish | undefined,
  onError: (problem: string) => void = (problem) => console.error(problem),
) {
  let current = served;
  let { build, readAt } = (served === undefined ? undefined : builds.publication(served)) ?? {};
  let problem: string | undefined;
  let running: Promise<void> | undefined;

  async function serveLatest(): Promise<void> {
    const latest = builds.latest();
    if (latest === undefined || latest === current) return;
    const publication = builds.publication(latest);
    if (publication === undefined) throw new Error('The build has no publication.json.');
    const switchTo = builds.load(latest);
    await publish?.(publication, true);
    switchTo();
    await publish?.(publication, false);
    current = latest;
    ({ build, readAt } = publication);
  }

  /**
   * Publishes the catalogue of the served build again, since a build of now would be the same.
   * @param at before that was found out
   */
  const confirm = async (at: Date): Promise<void> => {
    await check();
    const publication = current === undefined ? undefined : builds.publication(current);
    if (publication === undefined) return;
    await publish?.({ ...publication, readAt: at.toISOString() }, false);
    readAt = at.toISOString();
  };

  /** Serves the latest build, if it is not served yet. Calls at the same time share one run. Never throws. */
  const check = (): Promise<void> => {
    running ??= serveLatest()
      .then(() => {
        problem = undefined;
      })
      .catch((error) => {
        // Tried again at the next interval, and reported once.
        const now = `The latest build is not served yet, or its catalogue not published: ${error instanceof Error ? error.message : error}`;
        if (problem !== now) onError(now);
        problem = now;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(check, INTERVAL_MS);
  timer.unref();
  return {
    check,
    confirm,
    /** The latest build whose pages are served and whose catalogue is published. */
    build: () => build,
    /** When the catalogue of that build was read, or found to be the same, in ms since 1970; undefined where that is not known. */
    readAt: () => (readAt === undefined ? undefined : Date.parse(readAt)),
    /** Why the latest build is not served, or its catalogue not published; undefined if all is well. */
    problem: () => problem,
    stop: () => clearInterval(timer),
  };
}
