import type { Language, messagesOf } from './languages.ts';
import type { IslandMessages, OwnersContact } from './messages.ts';

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
  readonly hasMinimum?: boolean | undefined;
  readonly contact?: OwnersContact | undefined;
  /** Whether money goes into escrow. */
  readonly hasEscrow: boolean;
  /** Within which the owner promises to answer. */
  readonly replyHours: number;
}

/**
 * The messages that the islands show in a language.
 * @param all messages, with the owner's texts among them
 */
export function islandMessagesOf(
  all: ReturnType<typeof messagesOf>,
  { emailUse, offerMessage, hasMinimum, contact, hasEscrow, replyHours }: FormSettings,
): IslandMessages {
  const { form, page, rejections, offerMessage: message, lowOffer, noAmount } = all;
  const { escrow, transfer } = page.seller.steps;
  return {
    form: {
      ...form,
      labels: { ...form.labels, ...(offerMessage && { message: message.label }) },
      hints: {
        ...form.hints,
        ...(emailUse && { customer_email: emailUse.text }),
        ...(offerMessage && { message: message.hint }),
      },
      ...(offerMessage && { addMessage: message.add }),
      ...(contact && { contact }),
      ...(hasMinimum && { low: lowOffer, noAmount }),
      ...(emailUse?.lang && { hintLanguage: emailUse.lang }),
    },
    steps: { transfer, ...(hasEscrow && { escrow }) },
    replyHours,
    ...(rejections && { rejections }),
  };
}
