import { composeMail, type MailContext } from '../../supabase/functions/deliver/compose-mail.ts';
import { BATCH, DELIVERY, MAIL, OFFER, SITE_URL } from '../../supabase/functions/deliver/delivery.fixture.ts';
import type { Delivery } from '../../supabase/functions/deliver/delivery.ts';
import type { Scene } from './scene.ts';

const CONTEXT: MailContext = {
  mail: MAIL,
  siteUrl: SITE_URL,
  linkOf: () => 'https://lap.app/offer/#0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  language: 'en',
  settings: {
    owner: 'Ada Example',
    contact: 'ada@ada.example',
    links: [{ text: 'Imprint', url: 'https://ada.example/imprint' }],
  },
};
const MOVE = {
  number: 2,
  kind: 'counter',
  amount: '$14,000',
  note: 'Payment through an escrow service is fine.',
  valid_until: '2026-11-30T10:30:00Z',
};
const LINK = { number: 1, hash: '' };
const KNOWN = { ...OFFER, asking_price: '$15,000', language: 'en' };

/** What is sent, as a mail program shows it. */
export const MAILS: Record<string, Scene> = {
  mail: shows({ offers: [KNOWN] }),
  'mail-digest': shows({ kind: 'overdue', ids: [1, 2], batch: BATCH, offers: [OFFER, OFFER] }),
  'mail-counter': shows({
    kind: 'reply',
    target: 'mailto:ada@example.com',
    offers: [{ ...OFFER, move: MOVE, link: LINK }],
  }),
  'mail-move': shows({
    kind: 'move',
    offers: [{ ...KNOWN, move: { number: 3, kind: 'accept', amount: '$14,000' } }],
  }),
  'mail-confirmation': shows({ kind: 'confirmation', target: 'mailto:ada@example.com' }),
};

function shows(change: Partial<Delivery>): Scene {
  return async (page) => {
    const width = page.viewportSize()?.width ?? 0;
    // The picture is as high as the mail.
    await page.setViewportSize({ width, height: 1 });
    await page.setContent(String(composeMail({ ...DELIVERY, ...change }, CONTEXT).html));
  };
}
