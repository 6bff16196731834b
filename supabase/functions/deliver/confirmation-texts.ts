interface ConfirmationTexts {
  readonly subject: string;
  readonly arrived: string;
  readonly promise: string;
  readonly ignore: string;
}

/** Texts of the confirmation, in every language of the site. `{domain}` and `{time}` are filled in. */
export const CONFIRMATION_TEXTS = {
  de: {
    subject: 'Ihr Angebot für {domain} ist angekommen',
    arrived: 'Ihr Angebot für {domain} ist am {time} angekommen.',
    promise: 'Wir melden uns innerhalb von 24 Stunden bei Ihnen.',
    ignore: 'Falls Sie kein Angebot gemacht haben, ignorieren Sie diese Nachricht bitte.',
  },
  en: {
    subject: 'Your offer for {domain} has arrived',
    arrived: 'Your offer for {domain} arrived on {time}.',
    promise: "We'll get back to you within 24 hours.",
    ignore: 'If you made no offer, please ignore this message.',
  },
} satisfies Record<string, ConfirmationTexts>;
