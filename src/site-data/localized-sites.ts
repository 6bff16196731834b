import { replyTime } from '#contract/reply-within.ts';
import { shownPrice } from '#contract/shown-amount.ts';
import type { Branding } from '../branding/load-branding.ts';
import { type LocalizedText, textIn } from '../catalogue/description.ts';
import type { Catalogue } from '../catalogue/schema.ts';
import type { OwnText } from '../i18n/island-messages.ts';
import { type Language, messagesOf } from '../i18n/languages.ts';
import { prefixOf } from '../i18n/locale-prefix.ts';
import { textsOf, withOwnTexts } from '../i18n/own-texts.ts';

/** The site in one language. */
export interface LocalizedSite {
  readonly language: Language;
  /** Path prefix: empty, or `/de`. */
  readonly prefix: string;
  readonly messages: ReturnType<typeof messagesOf>;
  /** Language of the owner's texts where it differs: these are in the first language, except those in several. */
  readonly ownersLanguage: Language | undefined;
  /** The catalogue's setting. */
  readonly currencies: Catalogue['settings']['currencies'];
}

/**
 * The site in each of its languages.
 * @param texts the owner's own
 * @throws {MessagesError} naming a text that is missing
 */
export function localizedSites(
  settings: Pick<Catalogue['settings'], 'languages' | 'replyWithin' | 'currencies'>,
  texts: Branding['texts'],
): LocalizedSite[] {
  const { languages, currencies } = settings;
  return languages.map((language) => {
    const messages = withReplyTime(
      withOwnTexts(messagesOf(language), texts[language] ?? {}),
      settings.replyWithin,
    );
    const ownersLanguage = language === languages[0] ? undefined : languages[0];
    return { language, prefix: prefixOf(language, languages), messages, ownersLanguage, currencies };
  });
}

/** Fills in the time within which the owner answers. */
function withReplyTime<Messages extends ReturnType<typeof messagesOf>>(
  messages: Messages,
  replyWithin: string | undefined,
): Messages {
  const time = replyTime(replyWithin, messages.replyTime);
  const filled = [...textsOf(messages)].map(([key, text]) => [key, text.replaceAll('{replyTime}', time)]);
  return withOwnTexts(messages, Object.fromEntries(filled));
}

/** A text of the owner's for a page, with its language where that is not the page's. */
export function textFor(
  { language, ownersLanguage = language }: LocalizedSite,
  text: LocalizedText | undefined,
): OwnText {
  const found = textIn(text, language, ownersLanguage);
  return { text: found.text, lang: found.language === language ? undefined : found.language };
}

/** A price as a page shows it. */
export interface PriceText {
  readonly text: string;
  /** Of the owner's own words. Undefined where the text is one amount in the page's format. */
  readonly lang: Language | undefined;
}

/** A price of the owner's for a page: one clear amount in the format of its language, any other text as it is. */
export function priceFor(
  { language, ownersLanguage = language, currencies }: LocalizedSite,
  price: string | undefined,
): PriceText | undefined {
  if (price === undefined) return undefined;
  const { text, isClear } = shownPrice(price, language, currencies);
  return { text, lang: isClear ? undefined : ownersLanguage };
}

/** The attributes of the element that holds a price. */
export function priceAttributes(price: PriceText | undefined): { lang?: Language; translate?: 'no' } {
  return price?.lang ? { lang: price.lang } : { translate: 'no' };
}

/** Value of the route parameter `language`; undefined for the site at the root. */
export function parameterOf({ prefix }: LocalizedSite): string | undefined {
  return prefix.slice(1) || undefined;
}
