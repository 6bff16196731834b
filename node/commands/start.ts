/**
 * `npm start [-- --watch]`: builds what changed, serves the pages, starts the backend behind them, and serves the product
 * until a signal stops it.
 */

import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Publish } from '#contract/publication.ts';
import { catalogueFile, isSample } from '../../src/catalogue/catalogue-file.ts';
import { readOptions } from '../config/read-options.ts';
import { messageFor, reportAndExit } from '../config/report-and-exit.ts';
import { checkAdminHost, EMBEDDED_PUBLISHABLE_KEY, readSettings, type Settings } from '../config/settings.ts';
import { type Backend, startBackend } from '../embedded-backend/backend.ts';
import { findBotCheckProblem } from '../hosted-project/bot-check-problem.ts';
import { type BackendProxy, createBackendProxy } from '../http/backend-proxy.ts';
import { type BackendSwitch, createBackendSwitch } from '../http/backend-switch.ts';
import { createClientIpOf } from '../http/client-ip.ts';
import { closeServer, endConnections, handOverServer } from '../http/close-server.ts';
import { createGateway } from '../http/gateway.ts';
import { BACKEND_STARTING, createHealth } from '../http/health.ts';
import { assertPortFree, isSocketPassed, listen } from '../http/listen.ts';
import { loadOnDemand, type RenderOnDemand } from '../http/on-demand.ts';
import { openStaticPages, type StaticPages } from '../http/static-pages.ts';
import { findPublication } from '../manifest/publication.ts';
import { type BuildFollower, followBuilds } from '../publisher/follow-builds.ts';
import { hostedPublisher } from '../publisher/hosted-publisher.ts';
import { publishServed } from '../publisher/publish-served.ts';
import { buildSite, hasBuild, isFresh, prepareCatalogue } from '../site-builder/build-site.ts';
import { DIST, liveBuild, pinBuilds } from '../site-builder/live-build.ts';
import { backendOptions } from './backend-options.ts';
import { catalogueProblem } from './catalogue-problem.ts';
import { greet } from './greet.ts';
import { cachedByFile, watchCatalogue } from './watch-catalogue.ts';

/** The last error that was printed although the product is served. */
let reported = '';

try {
  const { values } = readOptions(
    { options: { watch: { type: 'boolean', default: false } } },
    'npm start takes no option but --watch (npm start -- --watch builds after each edit of the catalogue); ' +
      'set the port with PORT=5000 npm start.',
  );
  await start(readSettings(), values.watch);
} catch (error) {
  reportAndExit(error);
}

async function start(settings: Settings, watches: boolean): Promise<void> {
  await assertPortFree(settings);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  let starting: Promise<Backend> | undefined;
  if (!isUpToDate(settings)) {
    checkCatalogue(settings);
    // The first boot takes a while, and many seconds on a busy machine.
    starting = startEmbeddedBackend(settings, () => namesOf(pages));
    // A backend that will not start is reported below, once the build has ended.
    starting?.catch(() => {});
    await buildIfPossible(settings, stopping.signal);
  }
  const pages = openStaticPages(DIST, settings.adminHost);
  // Of the first build also the code that renders robots.txt and the like, which may load more of itself later.
  const first = pages.folder();
  pinBuilds([first]);
  checkAdminHost(settings, namesOf(pages));

  let running: Backend | undefined;
  let follower: BuildFollower | undefined;
  const backendPaths = createBackendSwitch(pages.siteHosts);
  const server = createGateway({
    pages,
    backend: settings.supabase ? undefined : backendPaths.handle,
    health: createHealth(
      { problem: () => pages.problem() ?? follower?.problem() },
      settings.supabase ? undefined : { health: async () => running?.health() ?? BACKEND_STARTING },
      cachedByFile(() => catalogueProblem(settings)),
    ),
    onDemand: loadedOnDemand(first),
  });
  const port = await listen(server, settings);

  const backend = await (starting ?? startEmbeddedBackend(settings, () => namesOf(pages)));
  follower = await serveBuilds(pages, backend?.publish ?? publisherOf(settings));
  const administrator = await backend?.ensureAdministrator(settings.adminEmail, settings.adminPassword);
  if (backend) backendPaths.open(proxyTo(backend, settings, pages));
  running = backend;
  greet({
    settings,
    port,
    domains: namesOf(pages),
    hosts: pages.siteHosts().hosts,
    isSample: isSample(catalogueFile()),
    administrator,
  });
  // Not waited for: a project that was paused takes long.
  void findBotCheckProblem(settings).then((problem) => problem !== undefined && console.warn(problem));
  if (watches) buildAfterEdits(settings, follower, stopping.signal);

  if (stopping.signal.aborted) return await stop(server, backendPaths, backend);
  stopping.signal.addEventListener('abort', () => void stop(server, backendPaths, backend));
}

/** Whether the last build is what a build would make now: then its pages are served before anything else is started. */
function isUpToDate(settings: Settings): boolean {
  try {
    return isFresh(settings);
  } catch {
    // The build reports it.
    return false;
  }
}

/** Undefined with a hosted project. */
function startEmbeddedBackend(settings: Settings, names: () => string[]): Promise<Backend> | undefined {
  if (settings.supabase) return undefined;
  console.log('Starting the backend …');
  return startBackend(backendOptions(settings, names, (line) => console.log(line)));
}

function proxyTo(backend: Backend, settings: Settings, pages: StaticPages): BackendProxy {
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

/** Begins to load the code that renders robots.txt and the like, while the pages are served. */
function loadedOnDemand(build: string): RenderOnDemand {
  const loading = loadOnDemand(build);
  // Each request reports it.
  loading.catch(() => {});
  return async (request, response, locals) => (await loading)(request, response, locals);
}

function namesOf(pages: StaticPages): string[] {
  return [...pages.siteHosts().names];
}

/**
 * Reports what is wrong with the catalogue, while the last good build is served.
 * @throws its error where there never was a good build
 */
function checkCatalogue(settings: Settings): void {
  try {
    const { domains } = prepareCatalogue();
    checkAdminHost(
      settings,
      domains.map(({ name }) => name),
    );
  } catch (error) {
    if (!hasBuild()) throw error;
    reportServedBuild(error);
  }
}

/** Builds if needed. After an error the last good build is served, if there is one. */
async function buildIfPossible(settings: Settings, signal: AbortSignal): Promise<void> {
  try {
    if (!isFresh(settings)) await buildSite(settings, { signal });
  } catch (error) {
    if (!hasBuild()) throw error;
    reportServedBuild(error);
  }
}

/** Prints an error and what is served in spite of it; the same error once. */
function reportServedBuild(error: unknown): void {
  const message = messageFor(error) ?? String(error);
  if (message !== reported)
    console.error(`\n${message}\nThe last good build is served until this is corrected.\n`);
  reported = message;
}

/** Undefined without the project's secret key: then the machine that builds publishes. */
function publisherOf({ supabase }: Settings): Publish | undefined {
  return supabase?.secretKey === undefined ? undefined : hostedPublisher(supabase.url, supabase.secretKey);
}

/** Publishes the catalogue of the pages that are open, and follows later builds. */
async function serveBuilds(pages: StaticPages, publish: Publish | undefined): Promise<BuildFollower> {
  const first = pages.folder();
  const builds = {
    latest: () => (existsSync(DIST) ? liveBuild() : undefined),
    publication: findPublication,
    open: (folder: string) => {
      pages.open(folder);
      pinBuilds([first, folder]);
    },
  };
  const isDone = await publishServed(findPublication(first), publish);
  return followBuilds(builds, isDone ? first : undefined, publish);
}

/** One build after the other: an edit during a build, or before this was called, starts another one. */
function buildAfterEdits(settings: Settings, follower: BuildFollower, signal: AbortSignal): void {
  let last = Promise.resolve();
  const onEdit = () => {
    last = last.then(async () => {
      try {
        prepareCatalogue();
        if (isFresh(settings)) return;
        await buildSite(settings, { signal });
        await follower.check();
      } catch (error) {
        reportServedBuild(error);
      }
    });
  };
  console.log('Watching the catalogue: each edit is built and served.');
  watchCatalogue(onEdit);
}

async function stop(server: Server, paths: BackendSwitch, backend: Backend | undefined): Promise<void> {
  if (isSocketPassed()) {
    // Connections that arrive later wait in the socket, and are to wait for the start of the next process alone.
    endConnections(server);
    await paths.close();
    await backend?.stop();
    await handOverServer(server);
  } else {
    await closeServer(server);
    await backend?.stop();
  }
  process.exit(0);
}
