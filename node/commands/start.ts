/**
 * `npm start [-- --watch]`: builds what changed, serves the pages, starts the backend behind them, and serves the product
 * until a signal stops it. What pages do not need is imported once they are served, so that a restart is short for visitors.
 */

import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { catalogueFile, isSample } from '../../src/catalogue/catalogue-file.ts';
import type { BuildFollower } from '../catalogue-publication/follow-builds.ts';
import { readOptions } from '../config/read-options.ts';
import { checkAdminHost, readSettings, type Settings } from '../config/settings.ts';
import type { Backend } from '../embedded-backend/backend.ts';
import { type BackendSwitch, createBackendSwitch } from '../http/backend-switch.ts';
import { closeServer, endConnections, handOverServer } from '../http/close-server.ts';
import { createGateway } from '../http/gateway.ts';
import { BACKEND_STARTING, createHealth } from '../http/health.ts';
import { assertPortFree, isSocketPassed, listen } from '../http/listen.ts';
import { loadOnDemand } from '../http/on-demand.ts';
import { openStaticPages, type StaticPages } from '../http/static-pages.ts';
import { DIST, keepBuilds } from '../site-builder/live-build.ts';
import { catalogueProblem, isUpToDate } from './catalogue-problem.ts';
import { cachedByFile } from './watch-catalogue.ts';
import './report-errors.ts';

/**
 * Turns of the event loop before the rest is imported: in the first one the connections that wait in the socket of a service
 * manager are accepted, in the next one their requests are read and responded to.
 */
const TURNS_FOR_WAITING = 3;

const { values } = readOptions(
  { options: { watch: { type: 'boolean', default: false } } },
  'npm start takes no option but --watch (npm start -- --watch builds after each edit of the catalogue); ' +
    'set the port with PORT=5000 npm start.',
);
const settings = readSettings();
await assertPortFree(settings);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

let starting: Promise<Backend | undefined> | undefined;
// The pages of a build that is up to date are served before anything else is started.
const wasUpToDate = isUpToDate(settings);
if (!wasUpToDate) {
  const { buildIfPossible, checkCatalogue } = await import('./build-at-start.ts');
  checkCatalogue(settings);
  // The first boot takes a while, and many seconds on a busy machine.
  starting = startBackend(settings, () => pages);
  // A backend that will not start is reported below, once the build has ended.
  starting.catch(() => {});
  await buildIfPossible(settings, stopping.signal);
}
const pages = openStaticPages(DIST, settings.adminHost);
// Of the first build also the code that renders robots.txt and the like, which may load more of itself later.
const first = pages.folder();
keepBuilds([first]);
checkAdminHost(settings, namesOf(pages));

let running: Backend | undefined;
let follower: BuildFollower | undefined;
const backendPaths = createBackendSwitch(pages.siteHosts);
const onDemand = Promise.withResolvers<Awaited<ReturnType<typeof loadOnDemand>>>();
// Each request reports it.
onDemand.promise.catch(() => {});
const server = createGateway({
  pages,
  backend: settings.supabase ? undefined : backendPaths.handle,
  health: createHealth(
    { problem: () => pages.problem() ?? follower?.problem(), build: () => follower?.build() },
    settings.supabase ? undefined : { health: async () => running?.health() ?? BACKEND_STARTING },
    cachedByFile(() => catalogueProblem(settings)),
  ),
  onDemand: async (request, response, locals) => (await onDemand.promise)(request, response, locals),
});
const port = await listen(server, settings);
for (let turn = 0; turn < TURNS_FOR_WAITING; turn += 1) await nextTurn();
loadOnDemand(first).then(onDemand.resolve, onDemand.reject);

const backend = await (starting ?? startBackend(settings, () => pages));
const { findBotCheckProblem, greet, noteOrigin, proxyTo, publisherFor, serveBuilds } = await import(
  './behind-pages.ts'
);
if (backend) noteOrigin(settings, port);
follower = await serveBuilds(pages, publisherFor(settings, backend));
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
// A build prints it itself.
if (wasUpToDate && !isSample(catalogueFile())) {
  const { brokerWarning } = await import('./broker-warning.ts');
  const warning = brokerWarning();
  if (warning !== undefined) console.warn(warning);
}
// Not waited for: a project that was paused takes long.
void findBotCheckProblem(settings).then((problem) => problem !== undefined && console.warn(problem));
if (values.watch) {
  const { buildAfterEdits } = await import('./build-at-start.ts');
  buildAfterEdits(settings, follower, stopping.signal);
}

if (stopping.signal.aborted) await stop(server, backendPaths, backend);
else stopping.signal.addEventListener('abort', () => void stop(server, backendPaths, backend));

/** Undefined with a hosted project. */
async function startBackend(settings: Settings, pages: () => StaticPages): Promise<Backend | undefined> {
  const { startEmbeddedBackend } = await import('./behind-pages.ts');
  return await startEmbeddedBackend(settings, () => namesOf(pages()));
}

function namesOf(pages: StaticPages): string[] {
  return [...pages.siteHosts().names];
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
