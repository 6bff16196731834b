const TURNSTILE = 'https://challenges.cloudflare.com';

/** Hashes of what a page has inlined, as a policy names them: `'sha256-…'`. */
export interface Inlined {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Trusted Types on the administrator's pages: no script of theirs may turn text into HTML or into a script's URL. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * What a page may load: nothing but its own files, the Supabase project and, where a site key is set, Turnstile;
 * and of scripts and styles in the page itself, exactly those that the build put there.
 */
export function contentSecurityPolicy(
  env: { TURNSTILE_SITE_KEY?: string | undefined; SUPABASE_URL?: string | undefined },
  { scripts, styles }: Inlined,
  isAdminPage = false,
): string {
  const turnstile = env.TURNSTILE_SITE_KEY ? [TURNSTILE] : [];
  const supabase = env.SUPABASE_URL ? [new URL(env.SUPABASE_URL).origin] : [];
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...turnstile, ...scripts],
    'style-src': ["'self'", ...styles],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...supabase],
    'worker-src': ["'self'"],
    ...(turnstile.length > 0 ? { 'frame-src': turnstile } : {}),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .concat(isAdminPage ? [TRUSTED_TYPES] : [])
    .join('; ');
}
