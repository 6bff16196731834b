import type { ConfirmationTexts } from './confirmation-texts.ts';

export const de: ConfirmationTexts = {
  subject: 'Ihr Angebot für {domain} ist angekommen',
  arrived: 'Ihr Angebot für {domain} ist am {time} angekommen.',
  promise: 'Wir melden uns innerhalb von 24 Stunden bei Ihnen.',
  ignore: 'Falls Sie kein Angebot gemacht haben, ignorieren Sie diese Nachricht bitte.',
};
