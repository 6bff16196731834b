/**
 * Runs Astro in a process of its own: build-site.ts starts it with the settings that the pages may know, and no other.
 * Each page is finished and written as soon as it is rendered (astro-extras/README.md).
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AstroIntegration, build } from 'astro';
import type { Plugin } from 'vite';
import { ICON } from '../../src/branding/branding-files.ts';
import { loadBranding } from '../../src/branding/load-branding.ts';
import { logosOf } from '../../src/branding/shown-branding.ts';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { messageFor } from '../config/report-and-exit.ts';
import { fileOfPage } from '../manifest/page-paths.ts';
import { collectPolicies } from '../manifest/policies.ts';
import { finishPage } from './astro-extras/finish-page.ts';
import { moveMessages, type PageWithLaterMessages } from './astro-extras/later-messages.ts';
import { isInPartialBuild, type PartialBuild } from './astro-extras/reused-pages.ts';
import { reportProgress } from './progress.ts';
import { addShareImages } from './share-images.ts';

/** Astro renders page after page without a pause: after so many, the event loop runs other callbacks. */
const PAGES_A_TURN = 16;

/** PARTIAL_BUILD names a JSON file; without it the whole site is rendered. */
const { OUT_DIR = '.builds/next', PARTIAL_BUILD } = process.env;
const client = resolve(OUT_DIR, 'client');
const part = PARTIAL_BUILD ? (JSON.parse(readFileSync(PARTIAL_BUILD, 'utf8')) as PartialBuild) : undefined;
/** Names of the modules that were written. */
const modules = new Set<string>();
const policies = collectPolicies(process.env, part?.policies);

// The parent process has ended, perhaps killed, and no longer holds the lock: another build may use the folder now.
process.stdin.on('end', () => process.exit(1)).resume();
try {
  await build({
    outDir: resolve(OUT_DIR),
    logLevel: 'warn',
    integrations: [finishPages()],
    // Not among the packages, which a service may not write.
    vite: { cacheDir: resolve('.astro/vite'), plugins: [prerenderEntry()] },
  });
  await addPictures();
  await addShareImages(client);
} catch (error) {
  console.error(messageFor(error) ?? error);
  process.exit(1);
}
policies.write(resolve(OUT_DIR));
process.stdin.destroy();

/** Those of the owner. */
async function addPictures(): Promise<void> {
  const branding = loadBranding();
  for (const { path, bytes } of await logosOf(branding, loadCatalogue().settings.colorScheme))
    writeFileSync(join(client, path), bytes);
  if (branding.icon) copyFileSync(branding.icon, join(client, ICON));
}

/**
 * Names Astro's own entry for prerendering: beside an adapter like `@astrojs/node`, Astro expects one of `setPrerenderer`
 * to bring another.
 */
function prerenderEntry(): Plugin {
  return {
    name: 'prerender-entry',
    configEnvironment: (name) =>
      name === 'prerender'
        ? { build: { rolldownOptions: { input: 'astro/entrypoints/prerender' } } }
        : undefined,
  };
}

/** Thousands of pages share a few modules. */
function writeModule({ name, content }: NonNullable<PageWithLaterMessages['module']>): void {
  if (modules.has(name)) return;
  modules.add(name);
  writeFileSync(join(client, '_astro', name), content);
}

function finishPages(): AstroIntegration {
  let countPage: () => void;
  let made = 0;
  return {
    name: 'finish-pages',
    hooks: {
      'astro:build:start': ({ setPrerenderer }) =>
        setPrerenderer((astro) => ({
          ...astro,
          async getStaticPaths() {
            const all = await astro.getStaticPaths();
            const isWanted = part ? isInPartialBuild(part) : () => true;
            const paths = all.filter(({ pathname }) => isWanted(pathname));
            countPage = reportProgress(paths.length);
            return paths;
          },
          async render(request, options) {
            const rendered = await astro.render(request, options);
            const response = rendered instanceof Response ? rendered : rendered.response;
            const { type, route } = options.routeData;
            if (type !== 'page' || !response.body) return rendered;
            const { html: page, module } = moveMessages(await response.text());
            if (module) writeModule(module);
            const { html, inlined } = finishPage(page);
            const path = route === '/404' ? '/404.html' : decodeURI(new URL(request.url).pathname);
            policies.add(path, inlined);
            countPage();
            made += 1;
            if (made % PAGES_A_TURN === 0) await nextTurn();
            const file = fileOfPage(client, path);
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(file, html);
            // Astro writes no file for a response without a body.
            return new Response(null);
          },
        })),
    },
  };
}
