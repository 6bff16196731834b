import { loadCatalogue } from '../../../src/catalogue/load.ts';
import { messagesOf } from '../../../src/i18n/languages.ts';
import { withOwnTexts } from '../../../src/i18n/own-texts.ts';
import { loadLook } from '../../../src/look/load-look.ts';
import type { Logo } from '../../../src/look/look.ts';
import { coloursOfLook, schemesOf } from '../../../src/look/shown-look.ts';

/** What all share images have in common: words and colours (`#rrggbb`). */
export interface ImageLook {
  /** In the corner, as in the site's own header. */
  header: string;
  /** Below a domain's name. */
  forSale: string;
  /** For the page with nothing selected. */
  home: { headline: string; line: string };
  colours: { page: string; ink: string; inkSoft: string; accent: string };
  /** In the corner, in place of the dot. */
  logo?: Logo;
}

/** Reads it from the messages of the site's first language and from the design tokens, with the owner's own in place. */
export function readImageLook(): ImageLook {
  const { languages, colorScheme } = loadCatalogue().settings;
  const [language = 'en'] = languages;
  const look = loadLook({ colorScheme });
  const messages = withOwnTexts(messagesOf(language), look.texts[language] ?? {});
  const [scheme = 'light'] = schemesOf(colorScheme);
  const colours = coloursOfLook(look);
  const colour = (token: string) => {
    const found = colours[token]?.[scheme];
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
    ...(look.logo && { logo: look.logo }),
  };
}
