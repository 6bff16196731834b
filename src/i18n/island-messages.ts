import type { Language, messagesOf } from './languages.ts';
import type { FormMessages, IslandMessages, OwnMessages } from './messages.ts';

type ProvidedMessages = ReturnType<typeof messagesOf>;

const provided = new Map<Language, ProvidedMessages>();
const known = new Map<Language, Known>();

/** Sets a language's messages, with the owner's texts among them. Called before a page is rendered. */
export function provideIslandMessages(language: Language, messages: ProvidedMessages): void {
  provided.set(language, messages);
  known.delete(language);
}

/**
 * The islands' messages during prerendering. `#island-messages` resolves to this file, and in the browser to
 * island-messages.browser.ts, which reads them from the page. As island properties they would take more bytes.
 */
export function islandMessages(language: Language): IslandMessages {
  return knownOf(language).messages;
}

/** The same as JSON for a page's script element. */
export function islandMessagesAsJson(language: Language): string {
  return knownOf(language).json;
}

/** What the catalogue adds to the form. */
export interface FormSettings {
  /** Hint below the email, in the owner's language. */
  readonly emailUse?: string | undefined;
  readonly offerMessage?: boolean | undefined;
  readonly ownersLanguage?: Language | undefined;
}

/** Changes the messages of the form in every language. Called when the catalogue has been read, before a page is rendered. */
export function setFormSettings(settings: FormSettings): void {
  formSettings = settings;
  known.clear();
}
let formSettings: FormSettings = {};

interface Known {
  readonly messages: IslandMessages;
  readonly json: string;
}
function knownOf(language: Language): Known {
  let one = known.get(language);
  if (!one) {
    const own = provided.get(language);
    if (!own) throw new Error(`The messages in ${language} were not provided before a page was rendered.`);
    const { broker, rejections } = own;
    const messages = { form: formOf(own, language), broker, ...(rejections && { rejections }) };
    one = { messages, json: inScript(JSON.stringify(messages)) };
    known.set(language, one);
  }
  return one;
}

function formOf({ form, offerMessage: message }: OwnMessages, language: Language): FormMessages {
  const { emailUse, offerMessage, ownersLanguage } = formSettings;
  return {
    ...form,
    labels: { ...form.labels, ...(offerMessage && { message: message.label }) },
    hints: {
      ...form.hints,
      ...(emailUse && { customer_email: emailUse }),
      ...(offerMessage && { message: message.hint }),
    },
    ...(emailUse && ownersLanguage && ownersLanguage !== language && { hintLanguage: ownersLanguage }),
  };
}

/**
 * Escapes `<`, which could end the script element, and characters beyond Latin-1: V8 stores a page of Latin-1 in half
 * the memory (docs/decisions/0010).
 */
function inScript(json: string): string {
  return json.replace(/[<\u0100-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
