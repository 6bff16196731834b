/**
 * A plugin for Vite that has a page's module imported once. Astro imports it anew for each page it makes of it: for
 * thousands of them, Node's loader takes a fiftieth of the build to find what it already has.
 */
export function importOnce() {
  return {
    name: 'import-once',
    apply: 'build',
    transform: {
      filter: { id: /virtual:astro:pages$/ },
      handler: (code: string) => ({ code: importingOnce(code), map: null }),
    },
  } as const;
}

/**
 * Answers Astro's list of pages, where each is `() => import("…")`, with functions that remember what they imported.
 * Of another form of list, nothing changes.
 */
export function importingOnce(code: string): string {
  return code.replace(/\(\) => (import\("[^"]*"\))/g, '((page) => () => (page ??= $1))()');
}
