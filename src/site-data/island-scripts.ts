/** Which scripts an island or the dashboard needs, so that its page can load them in one round. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** By name, the scripts that hydrate the islands of components/Island.astro, and what the form needs after that. */
const ENTRIES = {
  OfferForm: '/src/islands/hydrate-offer-form.ts',
  OfferCalls: '/src/stores/provide-calls.ts',
  DomainSearch: '/src/islands/hydrate-domain-search.ts',
  Negotiation: '/src/islands/hydrate-negotiation.ts',
  FirstRows: '/admin-app/stores/first-rows.ts',
};
/** Those that are built without: what the dashboard's page runs, and its page for signing in. */
const OF_ASTRO = {
  Admin: '/src/pages/admin/[...path].astro?astro&type=script&index=0&lang.ts',
  Login: '/admin-app/pages/LoginPage.tsx',
};
const ALL = { ...ENTRIES, ...OF_ASTRO };
export type Island = keyof typeof ALL;

/** Written by the build of the scripts, and read when the pages are rendered after it. */
const FILE = '.astro/island-scripts.json';

/** Vite plugin that builds these scripts, and writes the list of each with all that it imports. */
export function islandScripts(): Plugin {
  return {
    name: 'island-scripts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      for (const [name, entry] of Object.entries(ENTRIES))
        this.emitFile({ type: 'chunk', id: resolve(`.${entry}`), name });
    },
    generateBundle(_options, bundle) {
      const entries = Object.entries(ALL).map(([name, entry]) => {
        const chunk = Object.values(bundle).find(
          (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(entry),
        );
        return [name, [...withImports(chunk?.fileName ?? '', bundle)].map((file) => basename(file, '.js'))];
      });
      mkdirSync(dirname(FILE), { recursive: true });
      writeFileSync(FILE, JSON.stringify(Object.fromEntries(entries)));
    },
  };
}

function withImports(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk') throw new Error(`The build has no script ${file}.`);
  found.add(file);
  for (const one of chunk.imports) if (!found.has(one)) withImports(one, bundle, found);
  return found;
}

/**
 * Names of the scripts of an island in the folder `_astro`, without their ending; the first one hydrates it. In `astro dev` its
 * path.
 */
export function scriptsOf(island: Island): string[] {
  if (import.meta.env.DEV) return [ALL[island]];
  return JSON.parse(readFileSync(FILE, 'utf8'))[island];
}

/** What @vitejs/plugin-react expects of a page of `astro dev` before its own scripts. */
export const DEV_PREAMBLE =
  'import refresh from "/@react-refresh";refresh.injectIntoGlobalHook(window);window.$RefreshReg$=()=>{};window.$RefreshSig$=()=>(type)=>type';
