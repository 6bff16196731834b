const TURNSTILE = 'https://challenges.cloudflare.com';

/**
 * What a page may load, for Astro's `security.csp`: nothing but its own files, the Supabase project and,
 * where a site key is set, Turnstile. Astro adds the hashes of the scripts and styles that it inlines.
 */
export function contentSecurityPolicy(env: {
  TURNSTILE_SITE_KEY?: string | undefined;
  SUPABASE_URL?: string | undefined;
}) {
  const turnstile = env.TURNSTILE_SITE_KEY ? [TURNSTILE] : [];
  const supabase = env.SUPABASE_URL ? [new URL(env.SUPABASE_URL).origin] : [];
  return {
    directives: [
      "default-src 'none'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${["'self'", ...supabase].join(' ')}`,
      "worker-src 'self'",
      `frame-src ${turnstile[0] ?? "'none'"}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "manifest-src 'self'",
    ] satisfies `${string}-${string} ${string}`[],
    // `resources` replaces Astro's defaults, so 'self' is named.
    scriptDirective: { resources: ["'self'", ...turnstile] },
    styleDirective: { resources: ["'self'"] },
  };
}
