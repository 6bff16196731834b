import { defineCollection } from 'astro:content';
import type { Loader } from 'astro/loaders';
import * as z from 'zod';
import { catalogueFile } from './catalogue/catalogue-file.ts';
import { hasDefaultDescription } from './catalogue/defaults.ts';
import { type Catalogue, loadCatalogue } from './catalogue/load.ts';
import { DomainEntrySchema, SettingsSchema } from './catalogue/schema.ts';
import { loadLook } from './look/load-look.ts';
import { lookFiles } from './look/look-files.ts';
import { type ShownLook, shownLook } from './look/shown-look.ts';

export const collections = {
  /** The domains for sale; an entry's id is its name. Astro sorts entries by id, so `position` keeps the owner's order. */
  domains: defineCollection({
    loader: fromCatalogue(({ domains, defaults }) =>
      domains.map((domain, position) => ({
        id: domain.name,
        data: { ...domain, position, hasDefaultDescription: hasDefaultDescription(domain, defaults) },
      })),
    ),
    schema: DomainEntrySchema.extend({ position: z.number(), hasDefaultDescription: z.boolean() }),
  }),
  /** One entry, `site`. */
  settings: defineCollection({
    loader: fromCatalogue(({ settings }) => [{ id: 'site', data: settings }]),
    schema: SettingsSchema,
  }),
  /** One entry, `own`. */
  look: defineCollection({
    loader: fromCatalogue(({ settings }) => [{ id: 'own', data: { ...ownLook(settings) } }], lookFiles),
    schema: z.custom<ShownLook>(),
  }),
};

function ownLook({ colorScheme }: Catalogue['settings']): ShownLook {
  return shownLook(loadLook({ colorScheme }), colorScheme, import.meta.env.DEV);
}

/**
 * `loadCatalogue` has checked the data, so it is stored as it is; `astro dev` follows the owner's edits.
 * @param others further files that the entries are made from
 */
function fromCatalogue(
  entries: (catalogue: Catalogue) => { id: string; data: Record<string, unknown> }[],
  others: () => string[] = () => [],
): Loader {
  return {
    name: 'catalogue',
    load: async ({ store, watcher, logger }) => {
      const file = catalogueFile();
      const fill = () => {
        const loaded = entries(loadCatalogue(file));
        store.clear();
        for (const entry of loaded) store.set(entry);
      };
      fill();
      watcher?.add([file, ...others()]);
      const followed = (changed: string) => {
        if (changed !== file && !others().includes(changed)) return;
        try {
          fill();
        } catch (error) {
          logger.error(String(error));
        }
      };
      // Some editors replace the file.
      watcher?.on('change', followed).on('add', followed);
    },
  };
}
