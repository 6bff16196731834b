import { de } from './de.ts';
import { en } from './en.ts';
import { findMissingMessage } from './find-missing-message.ts';
import { FORM_REJECTIONS } from './form-rejections.ts';
import type { Messages, OwnMessages } from './messages.ts';

/** All languages by BCP 47 code. To add one, write a file like these and add it here. */
const ALL = { de, en };

/** A language's code, as in `<html lang>` and in paths. */
export type Language = keyof typeof ALL;

const MESSAGES: Record<Language, OwnMessages & Partial<Messages>> = ALL;

/** Every language that pages can be built in. */
export const LANGUAGES = Object.keys(MESSAGES) as Language[];

/** The language of the functions' error messages. */
const OWN = 'en' satisfies Language;

/**
 * The messages of a language; without `rejections` where the functions' error messages are shown unchanged.
 * @throws {MessagesError} naming a text that is missing, since a build does not check types
 */
export function messagesOf(language: Language): OwnMessages & Partial<Messages> {
  const messages = MESSAGES[language];
  const complete = language === OWN ? MESSAGES[OWN] : { ...MESSAGES[OWN], rejections: FORM_REJECTIONS };
  const missing = findMissingMessage(messages, complete);
  if (missing) throw new MessagesError(`src/i18n/${language}.ts ${missing}.`);
  return messages;
}

/** A language file is incomplete. */
class MessagesError extends Error {
  override name = 'MessagesError';
}
