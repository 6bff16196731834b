/** `npm start`: builds what changed, starts the backend, and serves the whole product until a signal stops it. */

import type { Server } from 'node:http';
import { takeNoOptions } from '../config/read-options.ts';
import { reportAndExit } from '../config/report-and-exit.ts';
import { checkAdminHost, EMBEDDED_PUBLISHABLE_KEY, readSettings, type Settings } from '../config/settings.ts';
import { type Backend, startBackend } from '../embedded-backend/backend.ts';
import { createBackendProxy } from '../http/backend-proxy.ts';
import { createClientIpOf } from '../http/client-ip.ts';
import { createGateway } from '../http/gateway.ts';
import { createHealth } from '../http/health.ts';
import { assertPortFree, listen } from '../http/listen.ts';
import { loadOnDemand } from '../http/on-demand.ts';
import { openStaticPages } from '../http/static-pages.ts';
import { buildSite, DIST, isFresh, prepareCatalogue } from '../site-builder/build-site.ts';
import { backendOptions } from './backend-options.ts';
import { greet } from './greet.ts';

/** Time for requests in flight to finish when the server stops. */
const SHUTDOWN_TIMEOUT_MS = 2_500;

try {
  takeNoOptions('npm start', 'set the port with PORT=5000 npm start.');
  await start(readSettings());
} catch (error) {
  reportAndExit(error);
}

async function start(settings: Settings): Promise<void> {
  await assertPortFree(settings);
  const catalogue = prepareCatalogue();
  const domains = catalogue.domains.map(({ name }) => name);
  checkAdminHost(settings, domains);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

  // The first boot takes a while, and many seconds on a busy machine.
  if (!settings.supabase) console.log('Starting the backend …');
  const backend = settings.supabase
    ? undefined
    : startBackend(backendOptions(settings, catalogue.settings.hosts, (line) => console.log(line)));
  // A backend that will not start is reported below, once the build has ended.
  backend?.catch(() => {});
  if (!isFresh(settings)) await buildSite(settings, stopping.signal);
  const running = await backend;
  const pages = openStaticPages(DIST, settings.adminHost);
  const server = createGateway({
    pages,
    backend:
      running &&
      createBackendProxy({
        databaseOrigin: running.databaseOrigin,
        functionsOrigin: running.functionsOrigin,
        gatewayKey: running.gatewayKey,
        tokenSecret: running.tokenSecret,
        publishableKey: EMBEDDED_PUBLISHABLE_KEY,
        siteHosts: pages.siteHosts,
        clientIpOf: createClientIpOf(settings),
      }),
    health: createHealth(pages, running),
    onDemand: await loadOnDemand(DIST),
  });
  const administrator = await running?.ensureAdministrator(settings.adminEmail, settings.adminPassword);
  const port = await listen(server, settings);
  greet({ settings, port, domains, hosts: catalogue.settings.hosts, administrator });

  if (stopping.signal.aborted) return await stop(server, running);
  stopping.signal.addEventListener('abort', () => void stop(server, running));
}

async function stop(server: Server, backend: Backend | undefined): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
  await backend?.stop();
  process.exit(0);
}
