/** Reads and writes dist/publication.json: the catalogue that belongs to the pages, as the database gets it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { priceOf } from '#contract/price-of.ts';
import { type Publication, PublicationSchema, type PublishedSettings } from '#contract/publication.ts';
import { type LocalizedText, textIn } from '../../src/catalogue/description.ts';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { minimumOf } from '../../src/catalogue/minimum.ts';
import { aboutHtml } from '../../src/site-data/about-html.ts';
import { PUBLICATION_FILE } from './build-files.ts';
import { readJson } from './read-json.ts';

/**
 * @param build identifies the build
 * @param accent the owner's
 * @param readAt before the catalogue was read
 */
export function publicationOf(
  { domains, settings }: Catalogue,
  build: string,
  accent?: PublishedSettings['accent'],
  readAt = new Date(),
  builtAt = new Date(),
): Publication {
  return {
    entries: domains.map((entry) => {
      const { name, state = 'for_sale' as const, price, checkout } = entry;
      const minimum = minimumOf(entry, settings.currencies);
      const read = priceOf(price ?? '', settings.currencies);
      const { currency } = read ?? minimum ?? {};
      return {
        name,
        state,
        price,
        ...(read && { value: read.amount }),
        ...(currency && { currency }),
        ...(minimum && { minimum }),
        ...(checkout !== undefined && { checkout }),
      };
    }),
    hosts: settings.hosts,
    language: settings.languages[0] ?? 'en',
    build,
    builtAt: builtAt.toISOString(),
    readAt: readAt.toISOString(),
    settings: publishedSettings(settings, accent),
  };
}

export function publishedSettings(
  settings: Catalogue['settings'],
  accent: PublishedSettings['accent'],
): PublishedSettings {
  const { owner, contact, links, languages, replyWithin, currencies, closing, afterPayment } = settings;
  const { checkout, checkoutHosts, payDays } = settings;
  const [first = 'en'] = languages;
  const htmlOf = (text: LocalizedText) =>
    Object.fromEntries(
      languages.map((language) => [language, aboutHtml(textIn(text, language, first).text)]),
    );
  return {
    owner,
    contact,
    links,
    languages,
    replyWithin,
    accent,
    currencies,
    ...(closing && { closing: htmlOf(closing) }),
    ...{ checkout, checkoutHosts, payDays },
    ...(afterPayment && { afterPayment: htmlOf(afterPayment) }),
  };
}

/** For its owner alone to read: minimums and the closing text are not public. */
export function writePublication(dist: string, publication: Publication): void {
  writeFileSync(join(dist, PUBLICATION_FILE), JSON.stringify(publication), { mode: 0o600 });
}

/** Returns undefined without a build, or if the file is damaged. */
export function findPublication(dist: string): Publication | undefined {
  return PublicationSchema.safeParse(readJson(join(dist, PUBLICATION_FILE))).data;
}
