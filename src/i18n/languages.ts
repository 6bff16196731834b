import { findMissingMessage } from './find-missing-message.ts';
import { FORM_REFUSALS } from './form-rejections.ts';
import * as all from './locales.ts';
import type { OwnTexts, Texts } from './messages.ts';

/** A language's code, as in `<html lang>` and in its addresses. */
export type Language = keyof typeof all;

const TEXTS: Record<Language, OwnTexts & Partial<Texts>> = { ...all };

/** Every language that pages can be built in. */
export const LANGUAGES = Object.keys(TEXTS) as Language[];

/** The functions' own: their sentences are written in it. */
const OWN = 'en' satisfies Language;

/**
 * The texts of a language; without `refusals` where the functions' own sentences are shown.
 * @throws {TextsError} naming a text that is missing, since a build does not check types
 */
export function textsOf(language: Language): OwnTexts & Partial<Texts> {
  const texts = TEXTS[language];
  const complete = language === OWN ? TEXTS[OWN] : { ...TEXTS[OWN], refusals: FORM_REFUSALS };
  const missing = findMissingMessage(texts, complete);
  if (missing) throw new TextsError(`src/i18n/${language}.ts ${missing}.`);
  return texts;
}

/** A language file that is not complete, in one sentence for the person who writes it. */
export class TextsError extends Error {
  override name = 'TextsError';
}
