import type { ReplyTimeTexts } from '../_shared/contract/reply-within.ts';

interface ConfirmationTexts {
  /** The language's name in English, for the owner. */
  readonly name: string;
  /** As it stands in `promise`. */
  readonly replyTime: ReplyTimeTexts;
  readonly subject: string;
  readonly arrived: string;
  readonly promise: string;
  /** In place of `promise` for an offer below the owner's minimum, as the page has it. */
  readonly low: string;
  /** The text of the link to the offer, and what it is for. */
  readonly open: string;
  readonly choices: string;
  readonly ignore: string;
  /** What follows is for a catalogue that says who sells. */
  readonly thanks: string;
  readonly labels: {
    readonly domain: string;
    readonly seller: string;
    readonly time: string;
    readonly answerBy: string;
  };
  /** Where a reply reaches the owner. */
  readonly questions: string;
  readonly why: string;
}

/** Texts of the confirmation, in every language of the site. `{domain}`, `{time}` and `{replyTime}` are filled in. */
export const CONFIRMATION_TEXTS = {
  de: {
    name: 'German',
    replyTime: { hour: '1 Stunde', hours: '{count} Stunden', day: '1 Tag', days: '{count} Tagen' },
    subject: 'Ihr Angebot für {domain} ist angekommen',
    arrived: 'Ihr Angebot für {domain} ist am {time} angekommen.',
    promise: 'Wir melden uns innerhalb von {replyTime} bei Ihnen.',
    low: 'Der Inhaber erwartet mehr für diesen Namen. Sie können ein neues Angebot machen.',
    open: 'Ihr Angebot ansehen',
    choices: 'Dort sehen Sie, wie es steht, und können ein anderes Angebot machen oder zurückziehen.',
    ignore: 'Falls Sie kein Angebot gemacht haben, ignorieren Sie diese Nachricht bitte.',
    thanks: 'Vielen Dank.',
    labels: { domain: 'Domain', seller: 'Verkäufer', time: 'Angekommen', answerBy: 'Antwort bis' },
    questions:
      'Fragen? Antworten Sie auf diese Nachricht: Sie geht an den Verkäufer. Wir fragen nie nach einem Passwort.',
    why: 'Sie erhalten diese Nachricht, weil mit Ihrer E-Mail-Adresse ein Angebot für {domain} gemacht wurde.',
  },
  en: {
    name: 'English',
    replyTime: { hour: '1 hour', hours: '{count} hours', day: '1 day', days: '{count} days' },
    subject: 'Your offer for {domain} has arrived',
    arrived: 'Your offer for {domain} arrived on {time}.',
    promise: "We'll get back to you within {replyTime}.",
    low: 'The owner expects more for this name. You can make another offer.',
    open: 'See your offer',
    choices: 'There you can see where it stands, make another offer or withdraw.',
    ignore: 'If you made no offer, please ignore this message.',
    thanks: 'Thank you.',
    labels: { domain: 'Domain', seller: 'Seller', time: 'Arrived', answerBy: 'Answer by' },
    questions: 'Questions? Reply to this message: it goes to the seller. We will never ask for a password.',
    why: 'You get this message because an offer for {domain} was made with your address.',
  },
} satisfies Record<string, ConfirmationTexts>;

type Language = keyof typeof CONFIRMATION_TEXTS;

/** Whether a code, which the visitor's browser sent, is a language with texts. */
export function hasTexts(language: string | null | undefined): language is Language {
  return Object.hasOwn(CONFIRMATION_TEXTS, language ?? '');
}
