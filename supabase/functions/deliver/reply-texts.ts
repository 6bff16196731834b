import type { CONFIRMATION_TEXTS } from './confirmation-texts.ts';

type Fact = 'counter' | 'accept' | 'decline' | 'take_back';

interface ReplyTexts {
  /** What the owner did: the subject, and the first sentence. */
  readonly facts: Readonly<Record<Fact, string>>;
  readonly labels: {
    readonly domain: string;
    readonly amount: string;
    readonly until: string;
    readonly note: string;
  };
  /** The text of the link. */
  readonly open: string;
  readonly link: string;
  readonly why: string;
}

/** Texts of the mail about a move of the owner, in every language of the site. `{domain}` is filled in. */
export const REPLY_TEXTS: Readonly<Record<keyof typeof CONFIRMATION_TEXTS, ReplyTexts>> = {
  de: {
    facts: {
      counter: 'Gegenangebot für {domain}',
      accept: 'Ihr Angebot für {domain} ist angenommen',
      decline: 'Ihr Angebot für {domain} ist abgelehnt',
      take_back: 'Die Annahme Ihres Angebots für {domain} ist zurückgenommen',
    },
    labels: { domain: 'Domain', amount: 'Betrag', until: 'Gültig bis', note: 'Notiz' },
    open: 'Angebot ansehen',
    link: 'Das Öffnen der Seite ändert nichts. Der Link ist nur für Sie: Wer ihn hat, kann für Sie antworten.',
    why: 'Sie erhalten diese Nachricht, weil mit Ihrer E-Mail-Adresse ein Angebot für {domain} gemacht wurde. Falls Sie kein Angebot gemacht haben, ignorieren Sie sie bitte.',
  },
  en: {
    facts: {
      counter: 'Counter-offer for {domain}',
      accept: 'Your offer for {domain} is accepted',
      decline: 'Your offer for {domain} is declined',
      take_back: 'The acceptance of your offer for {domain} is taken back',
    },
    labels: { domain: 'Domain', amount: 'Amount', until: 'Valid until', note: 'Note' },
    open: 'See the offer',
    link: 'Opening the page changes nothing. The link is for you alone: with it, others could answer for you.',
    why: 'You get this message because an offer for {domain} was made with your address. If you made no offer, please ignore it.',
  },
};
