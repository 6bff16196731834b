/** Marks the id of a copied module. */
const COPY = '?admin';

/** Modules that only the admin pages have, and the copies. */
const IMPORTER = /\/admin-app\/|\/@supabase\/(?!functions-js\/)|\?admin$/;

/** The settings, which Astro generates. */
const SETTINGS = '\0astro:env/client';

/** What storefront and admin pages share, apart from React, of which both use everything. */
const SHARED = new RegExp(
  `^${SETTINGS}$|/node_modules/(?:zod|nanostores|@nanostores|@supabase/functions-js|tslib)/|/_shared/contract/`,
);

interface Resolved {
  readonly id: string;
}

/** Of the bundler. */
interface Context {
  resolve(source: string, importer: string, options: object): Promise<Resolved | null>;
  load(module: Resolved): Promise<{ readonly code: string | null }>;
}

/**
 * A plugin that gives the admin pages copies of the modules that they share with the storefront. A bundler puts a shared
 * module into one file with everything that any page uses of it: visitors would load what only the dashboard needs.
 */
export function adminCopies() {
  return {
    name: 'admin-copies',
    apply: 'build',
    applyToEnvironment: ({ name }: { name: string }) => name === 'client',
    resolveId: {
      // Before the plugin that resolves the settings.
      order: 'pre',
      async handler(this: Context, source: string, importer: string | undefined, options: object) {
        if (!importer || !IMPORTER.test(importer)) return undefined;
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
        return resolved && SHARED.test(resolved.id) ? { ...resolved, id: resolved.id + COPY } : resolved;
      },
    },
    async load(this: Context, id: string) {
      return id === SETTINGS + COPY ? (await this.load({ id: SETTINGS })).code : undefined;
    },
  } as const;
}
