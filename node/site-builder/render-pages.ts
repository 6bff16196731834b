/**
 * Runs Astro in a process of its own: build-site.ts starts it with the settings that the pages may know, and no other.
 * Each page is finished and written as soon as it is rendered (astro-extras/README.md).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AstroIntegration, build } from 'astro';
import type { Plugin } from 'vite';
import { fileOfPage } from '../manifest/page-paths.ts';
import { collectPolicies } from '../manifest/policies.ts';
import { finishPage } from './astro-extras/finish-page.ts';
import { isInPartialBuild, type PartialBuild } from './astro-extras/reused-pages.ts';
import { reportProgress } from './progress.ts';

/** Astro renders page after page without a pause: after so many, the event loop runs other callbacks. */
const PAGES_A_TURN = 16;

/** PARTIAL_BUILD names a JSON file; without it the whole site is rendered. */
const { OUT_DIR = '.builds/next', PARTIAL_BUILD } = process.env;
const client = resolve(OUT_DIR, 'client');
const part = PARTIAL_BUILD ? (JSON.parse(readFileSync(PARTIAL_BUILD, 'utf8')) as PartialBuild) : undefined;
const policies = collectPolicies(process.env, part?.policies);

// The parent process has ended, perhaps killed, and no longer holds the lock: another build may use the folder now.
process.stdin.on('end', () => process.exit(1)).resume();
await build({
  outDir: resolve(OUT_DIR),
  logLevel: 'warn',
  integrations: [finishPages()],
  // Not among the packages, which a service may not write.
  vite: { cacheDir: resolve('.astro/vite'), plugins: [prerenderEntry()] },
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
policies.write(resolve(OUT_DIR));
process.stdin.destroy();

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
            const { html, inlined } = finishPage(await response.text());
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
