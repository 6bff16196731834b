import type { Language, messagesOf } from './languages.ts';
import type { IslandMessages } from './messages.ts';

/** A text of the owner's, with its language where that is not the page's. */
export interface OwnText {
  readonly text: string;
  readonly lang: Language | undefined;
}

/** What the catalogue adds to the form. */
export interface FormSettings {
  /** Hint at the email. */
  readonly emailUse?: OwnText | undefined;
  readonly offerMessage?: boolean | undefined;
}

interface Provided {
  readonly messages: IslandMessages;
  /** The same for a page's script element. */
  readonly json: string;
}
const provided = new Map<Language, Provided>();

/**
 * Sets the islands' messages in a language. Called when the catalogue has been read, before a page is rendered.
 * @param all messages, with the owner's texts among them
 */
export function provideIslandMessages(
  language: Language,
  all: ReturnType<typeof messagesOf>,
  { emailUse, offerMessage }: FormSettings,
): void {
  const { form, broker, page, rejections, offerMessage: message } = all;
  const { escrow, transfer } = page.seller.steps;
  const messages = {
    form: {
      ...form,
      labels: { ...form.labels, ...(offerMessage && { message: message.label }) },
      hints: {
        ...form.hints,
        ...(emailUse && { customer_email: emailUse.text }),
        ...(offerMessage && { message: message.hint }),
      },
      ...(emailUse?.lang && { hintLanguage: emailUse.lang }),
    },
    steps: { escrow, transfer },
    broker,
    ...(rejections && { rejections }),
  };
  provided.set(language, { messages, json: inScript(JSON.stringify(messages)) });
}

/**
 * The islands' messages during prerendering. `#island-messages` resolves to this file, and in the browser to
 * island-messages.browser.ts, which reads them from the page. As island properties they would take more bytes.
 */
export function islandMessages(language: Language): IslandMessages {
  return providedIn(language).messages;
}

/** The same as JSON for a page's script element. */
export function islandMessagesAsJson(language: Language): string {
  return providedIn(language).json;
}

function providedIn(language: Language): Provided {
  const found = provided.get(language);
  if (!found) throw new Error(`The messages in ${language} were not provided before a page was rendered.`);
  return found;
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
