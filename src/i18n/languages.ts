import { findMissingMessage } from './find-missing-message.ts';
import { FORM_REJECTIONS } from './form-rejections.ts';
import * as all from './locales.ts';
import type { OwnTexts, Texts } from './messages.ts';

/** A language's code, as in `<html lang>` and in paths. */
export type Language = keyof typeof all;

const TEXTS: Record<Language, OwnTexts & Partial<Texts>> = { ...all };

/** Every language that pages can be built in. */
export const LANGUAGES = Object.keys(TEXTS) as Language[];

/** The language of the functions' error messages. */
const OWN = 'en' satisfies Language;

/**
 * The messages of a language; without `rejections` where the functions' error messages are shown unchanged.
 * @throws {TextsError} naming a text that is missing, since a build does not check types
 */
export function textsOf(language: Language): OwnTexts & Partial<Texts> {
  const texts = TEXTS[language];
  const complete = language === OWN ? TEXTS[OWN] : { ...TEXTS[OWN], rejections: FORM_REJECTIONS };
  const missing = findMissingMessage(texts, complete);
  if (missing) throw new TextsError(`src/i18n/${language}.ts ${missing}.`);
  return texts;
}

/** A language file is incomplete. */
export class TextsError extends Error {
  override name = 'TextsError';
}
