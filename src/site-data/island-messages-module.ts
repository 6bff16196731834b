import type { Plugin } from 'vite';
import { hoursOf } from '#contract/reply-within.ts';
import { brandingFiles } from '../branding/branding-files.ts';
import { loadBranding } from '../branding/load-branding.ts';
import { catalogueFile } from '../catalogue/catalogue-file.ts';
import { loadCatalogue } from '../catalogue/load.ts';
import type { Catalogue } from '../catalogue/schema.ts';
import { islandMessagesOf } from '../i18n/island-messages.ts';
import type { OwnersContact } from '../i18n/messages.ts';
import { type LocalizedSite, localizedSites, textFor } from './localized-sites.ts';

const MODULE = 'virtual:island-messages';
/** The prefix `\0` is Rollup's convention for a module without a file. */
const RESOLVED = `\0${MODULE}`;

/**
 * Vite plugin for the module `virtual:island-messages`: the islands' messages in each language of the site, with the
 * owner's texts. It loads with the islands' scripts; in the pages or as island properties they would delay the first paint.
 */
export function islandMessagesModule(): Plugin {
  return {
    name: 'island-messages',
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return;
      const { domains, settings } = loadCatalogue();
      const hasMinimum = domains.some(({ minimum }) => minimum !== undefined);
      const messages = localizedSites(settings, loadBranding().texts).map((site) => {
        const emailUse = settings.emailUse ? textFor(site, settings.emailUse) : undefined;
        const { offerMessage, escrow, replyWithin } = settings;
        const contact = contactOf(site, settings);
        const form = { emailUse, offerMessage, hasMinimum, contact, hasEscrow: !!escrow };
        return [
          site.language,
          islandMessagesOf(site.messages, { ...form, replyHours: hoursOf(replyWithin) }),
        ];
      });
      return `export default ${JSON.stringify(Object.fromEntries(messages))}`;
    },
    // `astro dev` follows the owner's edits, in files that the content loaders watch (src/content.config.ts).
    hotUpdate({ file, modules }) {
      if (file !== catalogueFile() && !brandingFiles().includes(file)) return;
      const messages = this.environment.moduleGraph.getModuleById(RESOLVED);
      return messages && [...modules, messages];
    },
  };
}

/** The owner's email for visitors, or else the first link that is no page, such as an email or a phone number. */
function contactOf(
  site: LocalizedSite,
  { contact, links }: Catalogue['settings'],
): OwnersContact | undefined {
  if (contact) return { url: `mailto:${contact}`, text: contact };
  const link = links?.find(({ url }) => !url.startsWith('https:'));
  return link && { url: link.url, ...textFor(site, link.text) };
}
