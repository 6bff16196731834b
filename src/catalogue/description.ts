import type { Language } from '../i18n/languages.ts';

/** A text of the owner's: one in the first of the site's languages, or one by language. */
export type LocalizedText = string | Partial<Record<Language, string>>;

export type Description = LocalizedText;

/**
 * The text to show on a page, with its language: the site's first where there is none in the page's. Empty where there is no
 * text.
 * @param first of the site's languages
 */
export function textIn(
  text: LocalizedText | undefined,
  language: Language,
  first: Language,
): { text: string; language: Language } {
  if (typeof text !== 'object') return { text: text ?? '', language: first };
  const own = text[language];
  if (own !== undefined) return { text: own, language };
  return { text: text[first] ?? '', language: first };
}

/** The text in the site's first language. */
export function firstDescription(description: Description | undefined, [first]: readonly Language[]): string {
  return typeof description === 'string' ? description : ((first && description?.[first]) ?? '');
}
