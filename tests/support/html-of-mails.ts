/** One mail of each kind as the product sends it. */
import { composeMail, type MailContext } from '../../supabase/functions/deliver/compose-mail.ts';
import { BATCH, DELIVERY, MAIL, OFFER, SITE_URL } from '../../supabase/functions/deliver/delivery.fixture.ts';
import type { Delivery, MessageOffer } from '../../supabase/functions/deliver/delivery.ts';

const CONTEXT: MailContext = {
  mail: MAIL,
  siteUrl: SITE_URL,
  linkOf: () => 'https://lap.app/offer/#0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  language: 'en',
  settings: {
    owner: 'Ada Example',
    contact: 'ada@ada.example',
    languages: ['en', 'de'],
    links: [{ text: { en: 'Imprint', de: 'Impressum' }, url: 'https://ada.example/imprint' }],
  },
};
const AT = '2026-11-24T14:47:00Z';
const READ = { value: 14_000, currency: 'USD' };
const MOVE = {
  number: 2,
  side: 'owner' as const,
  at: AT,
  kind: 'counter',
  amount: '$14,000',
  ...READ,
  note: 'Payment through an escrow service is fine.',
  valid_until: '2026-11-30T10:30:00Z',
};
const LINK = { number: 1, nonce: '', hash: '' };
const ACCEPT = { number: 3, side: 'buyer' as const, at: AT, kind: 'accept', amount: '$14,000', ...READ };
const KNOWN = {
  ...OFFER,
  value: 12_000,
  currency: 'USD',
  message: 'Hello Ada,\nwe build an app for lap times on race tracks.',
  asking_price: '$15,000',
  language: 'en',
};

/** What is sent, as HTML. */
export const HTML_OF_MAILS: Readonly<Record<string, string>> = {
  mail: htmlOf({ offers: [KNOWN] }),
  'mail-digest': htmlOf({ kind: 'overdue', ids: [1, 2], batch: BATCH, offers: [OFFER, OFFER] }),
  'mail-counter': htmlOf(toBuyer(MOVE)),
  'mail-counter-german': htmlOf({ ...toBuyer(MOVE), locale: 'de' }),
  'mail-accepted': htmlOf(toBuyer({ ...ACCEPT, side: 'owner' })),
  'mail-agreed': htmlOf(toBuyer(ACCEPT)),
  'mail-move': htmlOf({ kind: 'move', offers: [{ ...KNOWN, move: { ...ACCEPT, note: 'Thank you.' } }] }),
  'mail-expired': htmlOf({ kind: 'expired', offers: [{ ...KNOWN, move: MOVE }] }),
  'mail-confirmation': htmlOf({ kind: 'confirmation', target: 'mailto:ada@example.com' }),
};

function toBuyer(move: MessageOffer['move']): Partial<Delivery> {
  return { kind: 'reply', target: 'mailto:ada@example.com', offers: [{ ...OFFER, move, link: LINK }] };
}

function htmlOf(change: Partial<Delivery>): string {
  return String(composeMail({ ...DELIVERY, ...change }, CONTEXT).html);
}
