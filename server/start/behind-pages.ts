/** What a start does behind the pages: starts the backend, publishes the catalogue, and prints what runs. */
import { existsSync } from 'node:fs';
import type { Publish } from '#contract/publication.ts';
import { functionSecrets } from '../../config/function-secrets.ts';
import { EMBEDDED_PUBLISHABLE_KEY, isForThisMachineOnly, type Settings } from '../../config/settings.ts';
import { findPublication } from '../../site-builder/built-site/publication.ts';
import { keepBuilds, liveBuild } from '../../site-builder/live-build.ts';
import { openHosted, type Project } from '../backend-client/project.ts';
import { type BuildFollower, followBuilds } from '../catalogue-publication/follow-builds.ts';
import { publishServed } from '../catalogue-publication/publish-served.ts';
import { publisherOf } from '../catalogue-publication/publisher.ts';
import { type Backend, startBackend } from '../embedded/backend.ts';
import { type BackendProxy, createBackendProxy } from '../http/backend-proxy.ts';
import { REQUEST_HOST_HEADER } from '../http/check-backend-request.ts';
import { CLIENT_IP_HEADER, createClientIpOf } from '../http/client-ip.ts';
import type { Visits } from '../http/visits.ts';
import type { HandleNames } from '../names/handle-request.ts';
import type { StaticPages } from '../pages/static-pages.ts';
import { siteWords } from './site-words.ts';

export { findBotCheckProblem } from '../backend-client/bot-check-problem.ts';
export { noteOrigin } from '../catalogue-publication/wait-until-served.ts';
export { greet } from './greet.ts';
export { buildsOf, handleNamesOf, openNames } from './serve-names.ts';

/** Undefined with a hosted project. @param names every domain of the catalogue */
export async function startEmbeddedBackend(
  settings: Settings,
  names: () => string[],
  console = globalThis.console,
): Promise<Backend | undefined> {
  if (settings.supabase) return undefined;
  console.log('Starting the backend …');
  return await startBackend({
    dataDir: settings.dataDir,
    settings: {
      ...functionSecrets(settings),
      LOOPBACK_ONLY: isForThisMachineOnly(settings) ? '1' : '0',
      RATE_LIMIT_SCALE: String(settings.rateLimitScale),
      CLIENT_ADDRESS_HEADER: CLIENT_IP_HEADER,
      REQUEST_HOST_HEADER,
      LOCAL_PORT: String(settings.port),
    },
    onLog: (line) => console.log(line),
    siteWords: () => siteWords(names()),
  });
}

/** @param catalogue responds to requests for the catalogue; absent: there are none */
export function proxyTo(
  backend: Backend,
  settings: Settings,
  { siteHosts }: Pick<StaticPages, 'siteHosts'>,
  console = globalThis.console,
  catalogue?: HandleNames,
  visits?: Pick<Visits, 'botCheck'>,
): BackendProxy {
  return createBackendProxy({
    ...backend,
    catalogue,
    onBotCheck: visits?.botCheck,
    publishableKey: EMBEDDED_PUBLISHABLE_KEY,
    siteHosts,
    clientIpOf: createClientIpOf(settings, console.warn),
    isBehindProxy: settings.trustedProxies > 0,
    console,
  });
}

/** Where numbers of visits are stored. Undefined without the hosted project's secret key. */
export function projectOfNumbers({ supabase }: Settings, backend: Backend | undefined): Project | undefined {
  if (supabase) return supabase.secretKey ? openHosted(supabase) : undefined;
  return backend?.project;
}

/**
 * Undefined without the hosted project's secret key: then the machine that builds publishes. The embedded database has one
 * machine, whose older builds are published too.
 */
export function publisherFor({ supabase }: Settings, backend: Backend | undefined): Publish | undefined {
  if (supabase) return supabase.secretKey ? publisherOf(openHosted(supabase)) : undefined;
  const publish = backend && publisherOf(backend.project);
  return publish && (({ builtAt: _, ...publication }, keepPrevious) => publish(publication, keepPrevious));
}

/**
 * Publishes the catalogue of the pages that are open, and follows later builds.
 * @param readAt before it was found out that a build would make the same pages; absent: as those of the build
 */
export async function serveBuilds(
  pages: StaticPages,
  publish: Publish | undefined,
  dist: string,
  console: Console,
  readAt?: Date,
): Promise<BuildFollower> {
  const first = pages.folder();
  let release = () => {};
  const builds = {
    latest: () => (existsSync(dist) ? liveBuild(dist) : undefined),
    publication: (folder: string) => {
      const publication = findPublication(folder);
      return publication && readAt && folder === first
        ? { ...publication, readAt: readAt.toISOString() }
        : publication;
    },
    load: (folder: string) => {
      const switchTo = pages.load(folder);
      return () => {
        switchTo();
        const releaseLast = release;
        release = keepBuilds([folder], dist);
        releaseLast();
      };
    },
  };
  const isDone = await publishServed(builds.publication(first), publish, console.error);
  const follower = followBuilds(builds, isDone ? first : undefined, publish, console.error);
  const stop = () => {
    follower.stop();
    release();
  };
  return { ...follower, stop };
}
