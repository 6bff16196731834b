import type { CONFIRMATION_TEXTS } from './confirmation-texts.ts';

/** Of the owner; `agreed` is an acceptance of the buyer's own. */
type Fact = 'counter' | 'accept' | 'decline' | 'take_back' | 'fell_through' | 'agreed';
export type Language = keyof typeof CONFIRMATION_TEXTS;

interface ReplyTexts {
  /** What happened: the subject, and the first sentence. */
  readonly facts: Readonly<Record<Fact, string>>;
  /** In place of `facts.accept` and `facts.agreed` where the amount is clear. */
  readonly agreedAmount: string;
  readonly labels: {
    readonly amount: string;
    readonly until: string;
    readonly agreed: string;
    readonly note: string;
    readonly payBy: string;
    readonly reference: string;
  };
  /** The text of the link, and what it is for. */
  readonly open: string;
  readonly choices: string;
  readonly link: string;
  /** What it is for once the buyer can make no move. */
  readonly linkEnded: string;
  /** For where a mail program broke the link: `{page}` and `{code}` are filled in. */
  readonly code: string;
  /** The same once both agree. */
  readonly openAgreed: string;
  readonly linkAgreed: string;
  /** The same where a button there pays, and what the one in the mail does. */
  readonly pay: string;
  readonly opensDeal: string;
  /** The subject of a reminder, with the amount where it is clear. */
  readonly reminder: string;
  readonly reminderAmount: string;
  readonly why: string;
}

/** Texts of the mail to the buyer about a move, in every language of the site. `{domain}`, `{amount}` and `{date}` are filled in. */
export const REPLY_TEXTS: Readonly<Record<Language, ReplyTexts>> = {
  de: {
    facts: {
      counter: 'Gegenangebot für {domain}',
      accept: 'Ihr Angebot für {domain} ist angenommen',
      decline: 'Ihr Angebot für {domain} ist abgelehnt',
      take_back: 'Die Annahme Ihres Angebots für {domain} ist zurückgenommen',
      fell_through: 'Der Verkauf von {domain} ist nicht zustande gekommen',
      agreed: 'Sie haben das Gegenangebot für {domain} angenommen',
    },
    agreedAmount: 'Vereinbart: {amount} für {domain}',
    labels: {
      ...{ amount: 'Betrag', until: 'Gültig bis', agreed: 'Vereinbart', note: 'Notiz' },
      ...{ payBy: 'Zahlbar bis', reference: 'Referenz' },
    },
    open: 'Angebot ansehen',
    choices: 'Dort können Sie annehmen, ein anderes Angebot machen oder zurückziehen.',
    link: 'Das Öffnen der Seite ändert nichts. Der Link ist nur für Sie: Wer ihn hat, kann für Sie antworten.',
    linkEnded: 'Unter dem Link können Sie das 14 Tage lang lesen. Er ist nur für Sie.',
    code: 'Der Link geht nicht? Öffnen Sie {page} und tippen Sie den Code {code}',
    openAgreed: 'So geht es weiter',
    linkAgreed: 'Der Link ist nur für Sie: Wer ihn hat, kann lesen, was vereinbart ist.',
    pay: '{amount} bezahlen',
    opensDeal: 'Öffnet die Seite der Vereinbarung. Damit ist noch nichts bezahlt.',
    reminder: 'Erinnerung: bitte {domain} bis {date} bezahlen',
    reminderAmount: 'Erinnerung: bitte {amount} für {domain} bis {date} bezahlen',
    why: 'Sie erhalten diese Nachricht, weil mit Ihrer E-Mail-Adresse ein Angebot für {domain} gemacht wurde. Falls Sie kein Angebot gemacht haben, ignorieren Sie sie bitte.',
  },
  en: {
    facts: {
      counter: 'Counter-offer for {domain}',
      accept: 'Your offer for {domain} is accepted',
      decline: 'Your offer for {domain} is declined',
      take_back: 'The acceptance of your offer for {domain} is taken back',
      fell_through: 'The sale of {domain} fell through',
      agreed: 'You accepted the counter-offer for {domain}',
    },
    agreedAmount: 'Agreed: {amount} for {domain}',
    labels: {
      ...{ amount: 'Amount', until: 'Valid until', agreed: 'Agreed', note: 'Note' },
      ...{ payBy: 'Pay by', reference: 'Reference' },
    },
    open: 'See the offer',
    choices: 'There you can accept, make another offer or withdraw.',
    link: 'Opening the page changes nothing. The link is for you alone: with it, others could answer for you.',
    linkEnded: 'With the link you can read this for 14 days. It is for you alone.',
    code: 'The link does not work? Open {page} and type the code {code}',
    openAgreed: 'See what happens next',
    linkAgreed: 'The link is for you alone: with it, others could read what is agreed.',
    pay: 'Pay {amount}',
    opensDeal: 'Opens the page of your deal. Nothing is paid by opening it.',
    reminder: 'Reminder: pay for {domain} by {date}',
    reminderAmount: 'Reminder: pay {amount} for {domain} by {date}',
    why: 'You get this message because an offer for {domain} was made with your address. If you made no offer, please ignore it.',
  },
};
