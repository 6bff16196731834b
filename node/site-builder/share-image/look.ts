import { readFileSync } from 'node:fs';
import { loadCatalogue } from '../../../src/catalogue/load.ts';
import { messagesOf } from '../../../src/i18n/languages.ts';

/** What all share images have in common: words and colours (`#rrggbb`). */
export interface Look {
  /** In the corner, as in the site's own header. */
  header: string;
  /** Below a domain's name. */
  forSale: string;
  /** For the page with nothing selected. */
  home: { headline: string; line: string };
  colours: { page: string; ink: string; inkSoft: string; accent: string };
}

/** Reads it from the messages of the site's first language and from the design tokens, in their light form. */
export function readLook(): Look {
  const [language = 'en'] = loadCatalogue().settings.languages;
  const messages = messagesOf(language);
  const tokens = readFileSync('src/styles/tokens.css', 'utf8');
  const colour = (token: string) => {
    const found = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}),`).exec(tokens)?.[1];
    if (!found) throw new Error(`src/styles/tokens.css has no --${token}: light-dark(#rrggbb, …).`);
    return found;
  };
  return {
    header: messages.page.header,
    forSale: messages.seo.inImage.domain,
    home: { headline: messages.headline.unselected.join(' ').trim(), line: messages.seo.inImage.home },
    colours: {
      page: colour('page'),
      ink: colour('ink'),
      inkSoft: colour('ink-soft'),
      accent: colour('accent'),
    },
  };
}
