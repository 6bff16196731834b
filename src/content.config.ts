import { defineCollection } from 'astro:content';
import type { Loader } from 'astro/loaders';
import * as z from 'zod';
import { brandingFiles } from './branding/branding-files.ts';
import { loadBranding } from './branding/load-branding.ts';
import { type ShownBranding, shownBranding } from './branding/shown-branding.ts';
import { catalogueFile, ownFolder } from './catalogue/catalogue-file.ts';
import { hasDefaultDescription } from './catalogue/defaults.ts';
import { type Catalogue, loadCatalogue } from './catalogue/load.ts';
import { DomainEntrySchema, SettingsSchema } from './catalogue/schema.ts';

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
  branding: defineCollection({
    loader: fromCatalogue(async ({ settings }) => {
      const branding = await shownBranding(loadBranding(), settings.colorScheme, import.meta.env.DEV);
      return [{ id: 'own', data: { ...branding } }];
    }, brandingFiles),
    schema: z.custom<ShownBranding>(),
  }),
};

interface Entry {
  id: string;
  data: Record<string, unknown>;
}

/**
 * `loadCatalogue` has checked the data, so it is stored as it is; `astro dev` follows the owner's edits.
 * @param others further files that the entries are made from
 */
function fromCatalogue(
  entries: (catalogue: Catalogue) => Entry[] | Promise<Entry[]>,
  others: () => string[] = () => [],
): Loader {
  return {
    name: 'catalogue',
    load: async ({ store, watcher, logger }) => {
      const file = catalogueFile();
      const fill = async () => {
        const loaded = await entries(loadCatalogue(file));
        store.clear();
        for (const entry of loaded) store.set(entry);
      };
      await fill();
      // Also for files that do not exist yet.
      watcher?.add([file, ownFolder()]);
      const followed = (changed: string) => {
        if (changed !== file && !others().includes(changed)) return;
        fill().catch((error) => logger.error(String(error)));
      };
      // Some editors replace the file.
      watcher?.on('change', followed).on('add', followed);
    },
  };
}
