import { registerHooks } from 'node:module';

/**
 * For tests in Node: replaces `astro:env/client`, which exists in Astro's build only.
 * Import it first, then the module under test with `await import(…)`.
 */
const SETTINGS = `data:text/javascript,
  export const SUPABASE_URL = 'https://project.example';
  export const SUPABASE_PUBLISHABLE_KEY = 'sb_publishable_test';
  export const TURNSTILE_SITE_KEY = undefined;`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'astro:env/client' ? { url: SETTINGS, shortCircuit: true } : next(specifier, context),
});
