import { resolve } from 'node:path';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, envField } from 'astro/config';
import { islandMessagesModule } from './src/site-data/island-messages-module.ts';
import { islandScripts } from './src/site-data/island-scripts.ts';

/** Of `npm run demo` the folder of its builds. */
const { DEMO_DIR } = process.env;

/** Whether code of an option of the catalogue is built. In `astro dev` it always is, since the owner may switch it on. */
const has = (option) => String(process.env[option] !== 'no');

/** Modules that hydrate a form and that the dashboard's first rows need, too: those rows load no others of a form. */
const BASE =
  /astro:env\/client|node_modules\/nanostores\/|\/contract\/(?:interpolate|link-code|offer-fields)\.ts|\/src\/api\/timeout-signal\.ts/;
/** Modules that a form's calls need once it is hydrated (src/stores/calls.ts), and the dashboard's first rows. */
const ZOD = /node_modules\/(?:tslib|zod)\/|\/contract\/(?:offer|rejections)\.ts/;
/** Modules that call functions, or that only these need. */
const CALLS =
  /node_modules\/@supabase\/|\/src\/api\/(?!timeout|retry-delay)|\/contract\/(?:bot-check|calls)\.ts/;
/** What a visitor's form does without, nor do the dashboard's rows. */
const NEGOTIATION = /\/contract\/negotiation\.ts/;
/** What reads and formats amounts and times, which no visitor's form needs. */
const AMOUNTS = /\/contract\/(?:currency-signs|format-price|price-of|shown-amount|zone-name)\.ts/;
/** What the dashboard alone uses, in its page and in what it loads later: no visitor loads it. */
const ADMIN =
  /\/admin-app\/|node_modules\/(?!@?nanostores\/|react|scheduler|zod|@astrojs\/|@supabase\/functions-js)|\/contract\/(?:bot-check-provider|calls|catalogue-path|csv-cell|direction-marks|names|offers-csv|publication|reply-within|server-problem|shorten|sign-in|token-claims)\.ts/;
/** React, and what needs it on every page that has an island. */
const REACT = /node_modules\/(?:react|react-dom|scheduler|@nanostores\/react)\/|\/islands\/hydrate\.ts/;
const isOfCalls = (id) => CALLS.test(id) && !ADMIN.test(id);
const isShared = (id) =>
  /\/(?:src|supabase|node_modules)\//.test(id) &&
  ![REACT, CALLS, AMOUNTS, NEGOTIATION, ADMIN].some((others) => others.test(id));

/** What reads the dashboard's first rows while React is still loading, besides what visitors load, too. */
const isOfFirstRows = (id) =>
  ADMIN.test(id) &&
  !/\/admin-app\/(?:App|mount|components|pages)|\/react-query\/build\/modern\/(?!(?:query|mutation)Options\.js)/.test(
    id,
  );

export default defineConfig({
  output: 'static',
  // For the few routes that are rendered on request (src/pages, prerender = false). The server calls it.
  adapter: node({ mode: 'middleware' }),
  session: false,
  // Not among the packages, which several copies of the project may share: the content of one would be built by another.
  cacheDir: `${DEMO_DIR ?? '.'}/.astro/cache`,
  build: { format: 'directory', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  // For pages with a key: those of domains (src/site-data/page-key.ts).
  experimental: { incrementalBuild: true },
  integrations: [
    // Nothing here is streamed, and a stream for each island of thousands of pages takes its time.
    react({ experimentalDisableStreaming: true }),
  ],
  vite: {
    resolve: {
      // Which no page uses: see there.
      alias: {
        '@supabase/realtime-js': resolve('admin-app/api/unused-clients.ts'),
        '@supabase/storage-js': resolve('admin-app/api/unused-clients.ts'),
      },
    },
    plugins: [islandMessagesModule(), islandScripts()],
    // Vite's own, and the browsers that must make an offer and sign in (tests/browser/old-browsers.spec.ts). Astro's is `esnext`.
    build: { target: ['safari16.4', 'chrome111', 'firefox114'] },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            experimental: { lazyBarrel: true },
            // Few files, because a browser fetches six at a time over HTTP/1.1.
            output: {
              // A page names its scripts: each character counts in its bytes.
              entryFileNames: '_astro/[name].[hash:6].js',
              chunkFileNames: '_astro/[name].[hash:6].js',
              codeSplitting: {
                groups: [
                  // First, since the dashboard's first rows are read by them without React.
                  { name: 'base', minShareCount: 2, test: BASE },
                  { name: 'zod', minShareCount: 2, test: ZOD },
                  { name: 'shared', minShareCount: 2, test: isShared },
                  { name: 'react', test: REACT },
                  { name: 'amounts', minShareCount: 2, test: AMOUNTS },
                  { name: 'calls', minShareCount: 2, test: isOfCalls },
                  { name: 'negotiation', minShareCount: 2, test: NEGOTIATION },
                  // Last, since what others load with it, too, is in theirs.
                  { name: 'first-rows', tags: ['$initial'], test: isOfFirstRows },
                  { name: 'admin', tags: ['$initial'], test: ADMIN },
                ],
              },
            },
          },
        },
      },
    },
    define: {
      'import.meta.env.DEMO': String(DEMO_DIR !== undefined),
      'import.meta.env.LOW_OFFERS': has('LOW_OFFERS'),
      'import.meta.env.OFFER_MESSAGE': has('OFFER_MESSAGE'),
      'import.meta.env.EMAIL_USE': has('EMAIL_USE'),
    },
  },
  env: {
    schema: {
      /** Cloudflare Turnstile's site key; without one the bot check is a proof of work. */
      TURNSTILE_SITE_KEY: envField.string({ context: 'client', access: 'public', optional: true }),
      /** URL of the Supabase project; without one, requests go to the site's own origin. */
      SUPABASE_URL: envField.string({ context: 'client', access: 'public', optional: true, url: true }),
      SUPABASE_PUBLISHABLE_KEY: envField.string({
        context: 'client',
        access: 'public',
        default: 'sb_publishable_embedded',
      }),
    },
  },
});
