/** Serves each new build as soon as its catalogue is published, so that no page is served whose form takes no offers. */
import type { Publication, Publish } from '#contract/publication.ts';

export interface FollowedBuilds {
  /** Changes with each build that goes live; undefined while there is none. */
  latest(): number | undefined;
  /** The catalogue of that build. */
  publication(): Publication | undefined;
  /** Serves that build from now on. @throws if it cannot be served; the one before is served on */
  open(): void;
}

export interface BuildFollower {
  /** Serves the latest build, if it is not served yet. Calls at the same time share one run. Never throws. */
  check(): Promise<void>;
  stop(): void;
}

const INTERVAL_MS = 1_000;

/**
 * @param served the build that is served and whose catalogue is published
 * @param publish undefined if nothing is published from here
 */
export function followBuilds(
  builds: FollowedBuilds,
  served: number | undefined,
  publish: Publish | undefined,
  onError: (error: unknown) => void = (error) => console.error('Could not serve the new build:', error),
): BuildFollower {
  let current = served;
  let failed: number | undefined;
  let running: Promise<void> | undefined;

  async function serveLatest(): Promise<void> {
    const latest = builds.latest();
    if (latest === undefined || latest === current) return;
    const publication = builds.publication();
    if (publication === undefined) throw new Error('The build has no publication.json.');
    await publish?.(publication, true);
    builds.open();
    await publish?.(publication, false);
    current = latest;
  }

  const check = () => {
    running ??= serveLatest()
      .then(() => {
        failed = undefined;
      })
      .catch((error) => {
        // Tried again at the next interval, and reported once.
        const latest = builds.latest();
        if (failed !== latest) onError(error);
        failed = latest;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(check, INTERVAL_MS);
  timer.unref();
  return { check, stop: () => clearInterval(timer) };
}
