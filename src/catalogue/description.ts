import type { Language } from '../i18n/languages.ts';

/** The owner's description of a domain: one text in the first of the site's languages, or one by language. */
export type Description = string | Partial<Record<Language, string>>;

/** A text with its language. */
export interface Described {
  readonly text: string;
  readonly language: Language;
}

/**
 * The description to show on a page, in the site's first language where there is none in the page's.
 * @param first of the site's languages
 */
export function describedIn(description: Description, language: Language, first: Language): Described {
  if (typeof description === 'string') return { text: description, language: first };
  const text = description[language];
  if (text !== undefined) return { text, language };
  return { text: description[first] ?? '', language: first };
}

/** The text in the site's first language. */
export function firstDescription(description: Description, [first]: readonly Language[]): string {
  return typeof description === 'string' ? description : ((first && description[first]) ?? '');
}
