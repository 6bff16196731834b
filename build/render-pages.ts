/**
 * Astro's part of a build, in a process of its own: build.ts starts it with what the pages may know, and nothing else.
 *
 * Each page is finished, compressed and written as soon as it is rendered. Left to Astro it would be written unfinished,
 * and have to be read and written again.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { type AstroIntegration, build } from 'astro';
import { finishPage } from './finish-page.ts';
import { isOfPart, type Part } from './kept-pages.ts';
import { pageWriter } from './page-writer.ts';
import { collectPolicies } from './policies.ts';
import { countPages } from './progress.ts';

/** Astro renders page after page without waiting for anything: after so many, whatever waits for its turn has it. */
const PAGES_A_TURN = 16;

/** PART names a file; without it the whole site is rendered. */
const { OUT_DIR = '.astro/next', PART } = process.env;
const client = resolve(OUT_DIR, 'client');
const part = PART ? (JSON.parse(readFileSync(PART, 'utf8')) as Part) : undefined;
const policies = collectPolicies(process.env, part?.policies);
let writer = pageWriter(client, 0);
let tellProgress = countPages(0);
let made = 0;

// Whoever started this is gone, perhaps killed, and its lock with it: another build may work in the same folder now.
process.stdin.on('end', () => process.exit(1)).resume();
await build({
  outDir: client,
  logLevel: 'warn',
  integrations: [takesPages()],
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
writer.end();
policies.write(resolve(OUT_DIR));
process.stdin.destroy();

function takesPages(): AstroIntegration {
  return {
    name: 'takes-pages',
    hooks: {
      'astro:build:start': ({ setPrerenderer }) =>
        setPrerenderer((astro) => ({
          ...astro,
          async getStaticPaths() {
            const all = await astro.getStaticPaths();
            const ofPart = part ? isOfPart(part) : () => true;
            const paths = all.filter(({ pathname }) => ofPart(pathname));
            // By the whole site, so that a page weighs the same whichever build made it.
            writer = pageWriter(client, all.length);
            tellProgress = countPages(paths.length);
            return paths;
          },
          async render(request, options) {
            const rendered = await astro.render(request, options);
            const response = rendered instanceof Response ? rendered : rendered.response;
            const { type, route } = options.routeData;
            if (type !== 'page') return rendered;
            if (!response.body) return rendered;
            const { html, inlined } = finishPage(Buffer.from(await response.arrayBuffer()));
            const address = route === '/404' ? '/404.html' : decodeURI(new URL(request.url).pathname);
            policies.note(address, inlined);
            writer.add(address, html);
            tellProgress();
            made += 1;
            if (made % PAGES_A_TURN === 0) await othersTurn();
            // An answer without a body is written by nobody else.
            return new Response(null);
          },
        })),
    },
  };
}
