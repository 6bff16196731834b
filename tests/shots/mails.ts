import { composeMail } from '../../supabase/functions/deliver/compose-mail.ts';
import { BATCH, DELIVERY, MAIL, OFFER, SITE_URL } from '../../supabase/functions/deliver/delivery.fixture.ts';
import type { Delivery } from '../../supabase/functions/deliver/delivery.ts';
import type { Scene } from './scene.ts';

const CONTEXT = {
  mail: MAIL,
  siteUrl: SITE_URL,
  language: 'en',
  settings: {
    owner: 'Ada Example',
    contact: 'ada@ada.example',
    links: [{ text: 'Imprint', url: 'https://ada.example/imprint' }],
  },
};
const KNOWN = { ...OFFER, asking_price: '$15,000', language: 'en' };

/** What is sent, as a mail program shows it. */
export const MAILS: Record<string, Scene> = {
  mail: shows({ offers: [KNOWN] }),
  'mail-digest': shows({ kind: 'overdue', ids: [1, 2], batch: BATCH, offers: [OFFER, OFFER] }),
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
