/**
 * `npm run dev`: Astro's own server with hot reload, in front of the same embedded backend, under one origin, for this
 * machine alone. With a hosted project no backend is started: the pages talk to that one.
 */

import { dev } from 'astro';
import type { Connect, Plugin } from 'vite';
import type { SiteHosts } from '#contract/hosts.ts';
import { checkAdminHost, readSettings } from '../config/settings.ts';
import { takeNoOptions } from '../process/read-options.ts';
import type { BackendProxy } from '../server/http/backend-proxy.ts';
import { assertPortFree } from '../server/http/listen.ts';
import { readRequestTarget } from '../server/http/request-target.ts';
import { devFiles } from '../server/pages/dev-files.ts';
import { greet, proxyTo, publisherFor, startEmbeddedBackend } from '../server/start/behind-pages.ts';
import { watchCatalogue } from '../server/start/watch-catalogue.ts';
import { buildEnvironment } from '../site-builder/build-hash.ts';
import { prepareCatalogue } from '../site-builder/build-site.ts';
import { publicationOf } from '../site-builder/built-site/publication.ts';
import { assertNoCustomerData } from '../site-builder/published-data.ts';
import { ownAccent } from '../src/branding/design-tokens.ts';
import { loadBranding } from '../src/branding/load-branding.ts';
import { catalogueFile, isSample } from '../src/catalogue/catalogue-file.ts';
import { type Catalogue, loadCatalogue } from '../src/catalogue/load.ts';
import { prefixOf } from '../src/i18n/locale-prefix.ts';
import { pageOfHost } from '../src/serving/page-of-host.ts';
import { isBackendPath } from '../src/serving/server-paths.ts';
import '../process/report-errors.ts';

// Astro's copy of the catalogue has its minimums.
process.umask(0o077);
takeNoOptions('npm run dev', 'set the port with PORT=5000 npm run dev.');
// Sources are for the developer alone: HOST is for the product.
const settings = { ...readSettings(), host: '127.0.0.1' };
await assertPortFree(settings);
let readAt = new Date();
let catalogue = prepareCatalogue();
const domains = namesOf(catalogue);
checkAdminHost(settings, domains);
assertNoCustomerData('public', settings.dataDir);
Object.assign(process.env, buildEnvironment(settings));
const backend = await startEmbeddedBackend(settings, () => namesOf(catalogue));
// With a hosted project the pages talk to that one, and nothing is published from here.
const publish = backend && publisherFor(settings, backend);
await publish?.(developmentPublication(), false);
const proxy = backend && proxyTo(backend, settings, { siteHosts });
const server = await dev({
  server: { port: settings.port, host: settings.host, allowedHosts: allowedHosts() },
  // Without cors: Vite would respond to the preflights of the functions.
  vite: {
    server: { strictPort: true, cors: false, fs: devFiles(settings.dataDir) },
    plugins: [oneOrigin(proxy)],
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
  // Vite ends the process by itself, before the backend has.
  process.removeAllListeners(signal);
  process.once(signal, () => void Promise.all([server.stop(), backend?.stop()]).then(() => process.exit(0)));
}

/** The site's hosts, as the catalogue has them now, or had them before a problem. */
function siteHosts(): SiteHosts {
  const { adminHost } = settings;
  return { names: new Set(namesOf(catalogue)), hosts: catalogue.settings.hosts, adminHost };
}

/** Vite adds every NAME.localhost and IP, which no DNS can rebind. */
function allowedHosts(): string[] {
  const { names, hosts, adminHost = 'localhost' } = siteHosts();
  return [...names, ...hosts, adminHost].flatMap((name) => [name, `www.${name}`]);
}

/** The backend's routes, and pages by host name. Vite has checked the host before. */
function oneOrigin(proxy: BackendProxy | undefined): Plugin {
  const handle: Connect.NextHandleFunction = (request, response, next) => {
    const target = readRequestTarget(request);
    if (target && proxy && isBackendPath(target.path)) return proxy(request, response, target);
    mapHost(request);
    if (target) request.headers['x-development-host'] = target.host;
    // Astro builds URLs from it.
    request.headers.host = 'localhost';
    next();
  };
  return { name: 'one-origin', configureServer: (vite) => void vite.middlewares.use(handle) };
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

function developmentPublication() {
  return publicationOf(catalogue, 'development', ownAccent(loadBranding().tokens), readAt);
}

/** Publishes an edited catalogue. After a problem the last right one stays published; the pages show the error. */
async function publishEdit(): Promise<void> {
  try {
    const now = new Date();
    catalogue = prepareCatalogue();
    readAt = now;
    await publish?.(developmentPublication(), false);
  } catch (error) {
    console.error(`\n${(error as Error).message}\n`);
  }
}
