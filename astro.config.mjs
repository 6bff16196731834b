import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, envField } from 'astro/config';
import { adminCopies } from './node/site-builder/astro-extras/admin-copies.ts';

/**
 * Few files, because what the first contact loads compresses better together. The search of a large catalogue stays
 * apart, because a domain's page has none, and so does signing in.
 */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler|@astrojs\/react)\// },
  // After React, which they import.
  { name: 'admin', test: /\?admin$/ },
  {
    name: 'shared',
    test: /node_modules\/(?:zod|nanostores|@nanostores|@supabase\/functions-js|tslib)\/|_shared\/contract\/(?!sign-in|bot-check-provider)|src\/i18n\//,
  },
  {
    name: 'storefront',
    test: /src\/(?:islands|enhance|stores|api)\/(?!DomainSearch|search|domain-names|bot-check\/derive-key)/,
  },
];

/** Whether code of an option of the catalogue is built. In `astro dev` it always is, since the owner may switch it on. */
const has = (option) => String(process.env[option] !== 'no');

export default defineConfig({
  output: 'static',
  // For the few routes that are rendered on request (src/pages, prerender = false). The server calls it.
  adapter: node({ mode: 'middleware' }),
  session: false,
  // Not among the packages, which several copies of the project may share: the content of one would be built by another.
  cacheDir: './.astro/cache',
  build: { format: 'directory', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  integrations: [
    // Nothing here is streamed, and a stream for each island of thousands of pages takes its time.
    react({ experimentalDisableStreaming: true }),
    {
      name: 'client-contact',
      hooks: {
        'astro:config:setup': ({ addClientDirective }) =>
          addClientDirective({
            name: 'contact',
            entrypoint: `./src/enhance/${process.env.SUPABASE_URL ? 'hosted' : 'contact'}-directive.ts`,
          }),
      },
    },
  ],
  vite: {
    plugins: [adminCopies()],
    define: {
      'import.meta.env.OFFER_MESSAGE': has('OFFER_MESSAGE'),
      'import.meta.env.EMAIL_USE': has('EMAIL_USE'),
    },
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
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
