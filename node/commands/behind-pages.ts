/** What a start does behind the pages: the backend, the publication of the catalogue, and what it prints. */
import { existsSync } from 'node:fs';
import type { Publish } from '#contract/publication.ts';
import { EMBEDDED_PUBLISHABLE_KEY, type Settings } from '../config/settings.ts';
import { type Backend, startBackend } from '../embedded-backend/backend.ts';
import { type BackendProxy, createBackendProxy } from '../http/backend-proxy.ts';
import { createClientIpOf } from '../http/client-ip.ts';
import type { StaticPages } from '../http/static-pages.ts';
import { findPublication } from '../manifest/publication.ts';
import { type BuildFollower, followBuilds } from '../publisher/follow-builds.ts';
import { publishServed } from '../publisher/publish-served.ts';
import { completeSwitch, DIST, liveBuild, pinBuilds } from '../site-builder/live-build.ts';
import { backendOptions } from './backend-options.ts';

export { findBotCheckProblem } from '../hosted-project/bot-check-problem.ts';
export { greet } from './greet.ts';

/** Undefined with a hosted project. */
export async function startEmbeddedBackend(
  settings: Settings,
  names: () => string[],
): Promise<Backend | undefined> {
  if (settings.supabase) return undefined;
  console.log('Starting the backend …');
  return await startBackend(backendOptions(settings, names, (line) => console.log(line)));
}

export function proxyTo(backend: Backend, settings: Settings, pages: StaticPages): BackendProxy {
  return createBackendProxy({
    databaseOrigin: backend.databaseOrigin,
    functionsOrigin: backend.functionsOrigin,
    gatewayKey: backend.gatewayKey,
    tokenSecret: backend.tokenSecret,
    publishableKey: EMBEDDED_PUBLISHABLE_KEY,
    siteHosts: pages.siteHosts,
    clientIpOf: createClientIpOf(settings),
    onMessagesDue: backend.deliverMessages,
  });
}

/** Undefined without the project's secret key: then the machine that builds publishes. */
export async function publisherOf({ supabase }: Settings): Promise<Publish | undefined> {
  if (supabase?.secretKey === undefined) return undefined;
  const { hostedPublisher } = await import('../publisher/hosted-publisher.ts');
  return hostedPublisher(supabase.url, supabase.secretKey);
}

/** Publishes the catalogue of the pages that are open, and follows later builds. */
export async function serveBuilds(pages: StaticPages, publish: Publish | undefined): Promise<BuildFollower> {
  const first = pages.folder();
  const builds = {
    latest: () => (existsSync(DIST) ? liveBuild() : undefined),
    publication: findPublication,
    open: (folder: string) => {
      pages.open(folder);
      pinBuilds([first, folder]);
      completeSwitch();
    },
  };
  completeSwitch();
  const isDone = await publishServed(findPublication(first), publish);
  return followBuilds(builds, isDone ? first : undefined, publish);
}
