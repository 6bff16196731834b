import type { Language } from '../i18n/languages.ts';
import { textsFile } from './branding-files.ts';
import type { Branding } from './load-branding.ts';

/** The owner's texts that other languages of the site lack, by the files of these: their pages have the built-in ones. */
export function untranslatedTexts(
  texts: Branding['texts'],
  languages: readonly Language[],
): { readonly file: string; readonly what: string }[] {
  const keysOf = (language: Language) => Object.keys(texts[language] ?? {});
  const all = [...new Set(languages.flatMap(keysOf))];
  return languages.flatMap((language) => {
    const own = new Set(keysOf(language));
    const missing = all.filter((key) => !own.has(key));
    if (missing.length === 0) return [];
    const others = languages.filter((one) => keysOf(one).some((key) => !own.has(key))).map(textsFile);
    const what = `lacks texts of ${others.join(' and ')}: write ${missing.join(', ')} in it, too`;
    return [{ file: textsFile(language), what }];
  });
}
