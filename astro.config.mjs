import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig, envField } from 'astro/config';
import { contentSecurityPolicy } from './src/security/csp.ts';

/**
 * Few files instead of a dozen crumbs: what the first contact loads arrives in one go and compresses better.
 * The bot check's providers stay apart, because a page loads only one of them, and so does the large catalogue's search.
 */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler|@astrojs\/react)\// },
  {
    name: 'shared',
    test: /node_modules\/(?:zod|nanostores|@nanostores|@supabase\/functions-js|tslib)\/|_shared\/contract\/|src\/texts\//,
  },
  {
    name: 'storefront',
    test: /src\/(?:islands|stores|api)\/(?!bot-check\/(?:turnstile|proof-of-work)|DomainSearch|search|domain-names)/,
  },
];

export default defineConfig({
  output: 'static',
  // `middleware` adds no server of its own; `staticHeaders` writes each page's policy to dist/_headers.json.
  adapter: node({ mode: 'middleware', staticHeaders: true }),
  build: { format: 'directory', inlineStylesheets: 'always' },
  session: false,
  // Nothing here is Markdown; without this line Astro warns that its highlighter does not go with the policy.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
  integrations: [
    react(),
    {
      name: 'client-contact',
      hooks: {
        'astro:config:setup': ({ addClientDirective }) =>
          addClientDirective({ name: 'contact', entrypoint: './src/islands/contact-directive.ts' }),
      },
    },
  ],
  security: { csp: contentSecurityPolicy(process.env) },
  vite: {
    environments: {
      client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
    },
  },
  env: {
    schema: {
      /** Cloudflare Turnstile's site key; without one the bot check is a proof of work. */
      TURNSTILE_SITE_KEY: envField.string({ context: 'client', access: 'public', optional: true }),
      /** Where the Supabase project answers; without one the site's own origin does. */
      SUPABASE_URL: envField.string({ context: 'client', access: 'public', optional: true, url: true }),
      SUPABASE_PUBLISHABLE_KEY: envField.string({
        context: 'client',
        access: 'public',
        default: 'sb_publishable_embedded',
      }),
    },
  },
});
