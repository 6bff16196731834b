/**
 * Starts the product in this process: builds what changed, serves the pages, and starts the backend behind them. What pages
 * do not need is imported once they are served, so that a restart is short for visitors.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkAdminHost, localOrigin, type Settings } from '../../config/settings.ts';
import { DIST, keepBuilds } from '../../site-builder/live-build.ts';
import { catalogueFile, isSample } from '../../src/catalogue/catalogue-file.ts';
import type { Project } from '../backend-client/project.ts';
import type { BuildFollower } from '../catalogue-publication/follow-builds.ts';
import type { Backend } from '../embedded/backend.ts';
import { createBackendSwitch } from '../http/backend-switch.ts';
import { closeServer, endConnections, handOverServer } from '../http/close-server.ts';
import { createGateway } from '../http/gateway.ts';
import { BACKEND_STARTING, createHealth } from '../http/health.ts';
import { isSocketPassed, listen } from '../http/listen.ts';
import { createVisits } from '../http/visits.ts';
import { loadOnDemand, type RenderText } from '../pages/on-demand.ts';
import { openStaticPages, type StaticPages } from '../pages/static-pages.ts';
import { catalogueProblem, isUpToDate } from './catalogue-problem.ts';
import { cachedByFile, watchCatalogue } from './watch-catalogue.ts';

/**
 * Turns of the event loop before the rest is imported: in the first one the connections that wait in the socket of a service
 * manager are accepted, in the next one their requests are read and responded to.
 */
const TURNS_FOR_WAITING = 3;

/** Longest time for one call that stores visits, in milliseconds. */
const NUMBERS_TIMEOUT_MS = 5_000;

export interface ProductOptions {
  readonly settings: Settings;
  /** Builds after each edit of the catalogue. */
  readonly watch?: boolean;
  /** Ends the builds of this product, and the process with them. */
  readonly signal?: AbortSignal;
  /** The folder of a site that another clone builds: its catalogue is looked at there alone. Absent: this clone's. */
  readonly site?: string | undefined;
  /** The product's log. */
  readonly console?: Console;
}

export interface RunningProduct {
  readonly port: number;
  /** Where this machine reaches it. */
  readonly origin: string;
  /** The embedded project; undefined with a hosted one. */
  readonly project: Backend | undefined;
  /** Serves what is in flight, and ends the backend. Idempotent. */
  close(): Promise<void>;
}

/** Resolves when the whole product is served. @throws UserError with the fix, after it has ended what it had started */
export async function startProduct({
  settings,
  watch = false,
  signal = new AbortController().signal,
  site,
  console = globalThis.console,
}: ProductOptions): Promise<RunningProduct> {
  await using parts = new AsyncDisposableStack();
  let starting: Promise<Backend | undefined> | undefined;
  const numbers = Promise.withResolvers<Project | undefined>();
  const visits = createVisits({
    isOn: settings.countVisits,
    add: async (batch) => await (await numbers.promise)?.call('add_numbers', batch, NUMBERS_TIMEOUT_MS),
    onFailure: (error) =>
      console.error(
        `Visits are not stored: ${error instanceof Error ? error.message : error}\n` +
          'They are counted on, and stored once this works.',
      ),
  });
  /** Once: afterwards another product may use the data folder. */
  const stopBackend = async () => {
    const last = starting;
    starting = undefined;
    if (!last) return;
    // Where no backend was started.
    numbers.resolve(undefined);
    await visits.stop();
    await (await last.catch(() => undefined))?.stop();
  };
  parts.defer(stopBackend);
  // The pages of a build that is up to date are served before anything else is started.
  const startedAt = new Date();
  const wasUpToDate = site !== undefined || isUpToDate(settings);
  if (!wasUpToDate) {
    const { buildIfPossible, checkCatalogue } = await import('./build-at-start.ts');
    checkCatalogue(settings, console);
    // The first boot takes a while, and many seconds on a busy machine.
    starting = startBackend();
    // A backend that will not start is reported below, once the build has ended.
    starting.catch(() => {});
    await buildIfPossible(settings, signal, console);
  }
  const dist = site ?? DIST;
  const onDemand = Promise.withResolvers<RenderText>();
  // Each request reports it.
  onDemand.promise.catch(() => {});
  const pages = openStaticPages(dist, settings.adminHost, async (...text) =>
    (await onDemand.promise)(...text),
  );
  // Of the first build also the code that renders robots.txt and the like, which may load more of itself later.
  const first = pages.folder();
  parts.defer(keepBuilds([first], dist));
  checkAdminHost(settings, namesOf(pages));

  let running: Backend | undefined;
  let follower: BuildFollower | undefined;
  const backendPaths = createBackendSwitch(pages.siteHosts);
  const server = createGateway({
    pages,
    backend: settings.supabase ? undefined : backendPaths.handle,
    health: createHealth(
      { problem: () => pages.problem() ?? follower?.problem(), build: () => follower?.build() },
      settings.supabase ? undefined : { health: async () => running?.health() ?? BACKEND_STARTING },
      site === undefined ? cachedByFile(() => catalogueProblem(settings)) : async () => undefined,
    ),
    visits,
    console,
  });
  const port = await listen(server, settings, console);
  parts.defer(async () => {
    if (!isSocketPassed()) {
      await closeServer(server);
      return await stopBackend();
    }
    // Connections that arrive later wait in the socket, and are to wait for the start of the next process alone.
    endConnections(server);
    await backendPaths.close();
    await stopBackend();
    await handOverServer(server);
  });
  for (let turn = 0; turn < TURNS_FOR_WAITING; turn += 1) await nextTurn();
  loadOnDemand(first).then(onDemand.resolve, onDemand.reject);
  visits.readBy((await import('isbot')).isbot);

  starting ??= startBackend();
  const backend = await starting;
  const behind = await import('./behind-pages.ts');
  const { findBotCheckProblem, greet, noteOrigin, proxyTo, publisherFor, serveBuilds } = behind;
  if (backend) noteOrigin(settings, port);
  // What is stored is in the catalogue before the last one is published again.
  const names =
    backend && site === undefined ? await behind.openNames(backend, settings, console) : undefined;
  if (names) parts.defer(names.worker.stop);
  const readAt = site === undefined && wasUpToDate ? startedAt : undefined;
  follower = await serveBuilds(pages, publisherFor(settings, backend), dist, console, readAt);
  parts.defer(follower.stop);
  // Of names that are published.
  numbers.resolve(behind.projectOfNumbers(settings, backend));
  void visits.write();
  const builds = behind.buildsOf(settings, follower, () => namesOf(pages).length, signal, console);
  parts.defer(builds.stop);
  const administrator = await backend?.ensureAdministrator(settings.adminEmail, settings.adminPassword);
  if (backend) {
    const catalogue = names && behind.handleNamesOf(backend, names, builds, pages, console);
    backendPaths.open(proxyTo(backend, settings, pages, console, catalogue, visits));
  }
  running = backend;
  const isOfSample = site === undefined && isSample(catalogueFile());
  greet(
    {
      settings,
      port,
      domains: namesOf(pages),
      hosts: pages.siteHosts().hosts,
      isSample: isOfSample,
      administrator,
    },
    console,
  );
  // A build prints it itself.
  if (site === undefined && wasUpToDate && !isOfSample) {
    const { brokerWarning } = await import('./broker-warning.ts');
    const warning = brokerWarning();
    if (warning !== undefined) console.warn(warning);
  }
  // Not waited for: a project that was paused takes long.
  void findBotCheckProblem(settings).then((problem) => problem !== undefined && console.warn(problem));
  if (watch) {
    console.log('Watching the catalogue: each edit is built and served.');
    parts.defer(watchCatalogue(() => builds.request()));
  }
  const all = parts.move();
  return { port, origin: localOrigin(settings, port), project: backend, close: () => all.disposeAsync() };

  /** Undefined with a hosted project. */
  async function startBackend(): Promise<Backend | undefined> {
    const { startEmbeddedBackend } = await import('./behind-pages.ts');
    return await startEmbeddedBackend(settings, () => namesOf(pages), console);
  }
}

function namesOf(pages: StaticPages): string[] {
  return [...pages.siteHosts().names];
}
