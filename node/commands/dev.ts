/**
 * `npm run dev`: Astro's own server with hot reload, in front of the same embedded backend, under one origin. With a
 * hosted project no backend is started: the pages talk to that one.
 */

import { dev } from 'astro';
import type { Connect, Plugin } from 'vite';
import { catalogueFile, isSample } from '../../src/catalogue/catalogue-file.ts';
import { type Catalogue, loadCatalogue } from '../../src/catalogue/load.ts';
import { prefixOf } from '../../src/i18n/locale-prefix.ts';
import { pageOfHost } from '../../src/serving/page-of-host.ts';
import { isBackendPath } from '../../src/serving/server-paths.ts';
import { takeNoOptions } from '../config/read-options.ts';
import { checkAdminHost, readSettings, type Settings } from '../config/settings.ts';
import type { BackendProxy } from '../http/backend-proxy.ts';
import { devFiles } from '../http/dev-files.ts';
import { type DevHosts, devHosts } from '../http/dev-hosts.ts';
import { rejectRequest, rejectUpgrade } from '../http/dev-requests.ts';
import { assertPortFree } from '../http/listen.ts';
import { readRequestTarget } from '../http/request-target.ts';
import { publicationOf } from '../manifest/publication.ts';
import { buildEnvironment } from '../site-builder/build-hash.ts';
import { prepareCatalogue } from '../site-builder/build-site.ts';
import { greet, proxyTo, publisherFor, startEmbeddedBackend } from './behind-pages.ts';
import { watchCatalogue } from './watch-catalogue.ts';
import './report-errors.ts';

takeNoOptions('npm run dev', 'set the port with PORT=5000 npm run dev.');
const settings = readSettings();
await assertPortFree(settings);
const catalogue = prepareCatalogue();
const domains = namesOf(catalogue);
checkAdminHost(settings, domains);
Object.assign(process.env, buildEnvironment(settings));
const backend = await startEmbeddedBackend(settings, () => namesOf(loadCatalogue()));
// With a hosted project the pages talk to that one, and nothing is published from here.
const publish = backend && publisherFor(settings, backend);
await publish?.(publicationOf(catalogue, 'development'), false);
const hosts = devHosts(settings);
const proxy = backend && proxyTo(backend, settings, hosts);
const server = await dev({
  server: { port: settings.port, host: settings.host },
  vite: {
    server: { strictPort: true, fs: devFiles(settings.dataDir).viteAccess },
    plugins: [oneOrigin(settings, hosts, proxy)],
  },
});
watchCatalogue(() => void publishEdit());
greet({
  settings,
  port: server.address.port,
  domains,
  hosts: catalogue.settings.hosts,
  isSample: isSample(catalogueFile()),
  administrator: await backend?.ensureAdministrator(settings.adminEmail, settings.adminPassword),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Vite ends the process by itself, before the backend's processes have.
  process.removeAllListeners(signal);
  process.once(signal, () => void Promise.all([server.stop(), backend?.stop()]).then(() => process.exit(0)));
}

/** In front of everything that Vite and Astro serve: the guard, the backend's routes, and pages by host name. */
function oneOrigin(settings: Settings, hosts: DevHosts, proxy: BackendProxy | undefined): Plugin {
  const files = devFiles(settings.dataDir);
  const handle: Connect.NextHandleFunction = (request, response, next) => {
    if (rejectRequest(request, response, hosts, files)) return;
    const target = readRequestTarget(request);
    if (target && proxy && isBackendPath(target.path)) return proxy(request, response, target);
    mapHost(request);
    // The host is checked. Vite would check it against a list that is fixed when it starts.
    if (target) request.headers['x-development-host'] = target.host;
    request.headers.host = 'localhost';
    next();
  };
  return {
    name: 'one-origin',
    configureServer: {
      order: 'post',
      handler: (vite) => {
        vite.httpServer?.prependListener('upgrade', (request, socket) => {
          if (!rejectUpgrade(request, socket, hosts)) request.headers.host = 'localhost';
        });
        // Added after all others, which makes it the first to be called.
        return () => void vite.middlewares.stack.unshift({ route: '', handle });
      },
    },
  };
}

/** Shows the page of the domain that the host name stands for, as the gateway does. */
function mapHost(request: Connect.IncomingMessage): void {
  const [path = '/'] = (request.url ?? '/').split('?');
  if (!/^\/[\w-]*\/?$/.test(path)) return;
  const { domains, settings } = loadCatalogue();
  const pages = new Set(
    settings.languages.flatMap((language) => {
      const prefix = prefixOf(language, settings.languages);
      return domains.map(({ name }) => `${prefix}/sites/${name}/`);
    }),
  );
  const page = pageOfHost(request.headers.host ?? '', path, (address) => pages.has(address));
  if (page !== undefined) request.url = page;
}

function namesOf({ domains }: Catalogue): string[] {
  return domains.map(({ name }) => name);
}

/** Publishes an edited catalogue. After a mistake the last right one stays published; the pages show the error. */
async function publishEdit(): Promise<void> {
  try {
    await publish?.(publicationOf(prepareCatalogue(), 'development'), false);
  } catch (error) {
    console.error(`\n${(error as Error).message}\n`);
  }
}
