import { composeMail } from '../../supabase/functions/deliver/compose-mail.ts';
import { BATCH, DELIVERY, MAIL, OFFER, SITE_URL } from '../../supabase/functions/deliver/delivery.fixture.ts';
import type { Delivery } from '../../supabase/functions/deliver/delivery.ts';
import type { Scene } from './scene.ts';

const CONTEXT = { mail: MAIL, siteUrl: SITE_URL, language: 'en' };

/** What is sent, as a mail program shows it. */
export const MAILS: Record<string, Scene> = {
  mail: shows({}),
  'mail-digest': shows({ kind: 'overdue', ids: [1, 2], batch: BATCH, offers: [OFFER, OFFER] }),
  'mail-confirmation': shows({ kind: 'confirmation', target: 'mailto:ada@example.com' }),
};

function shows(change: Partial<Delivery>): Scene {
  return (page) => page.setContent(String(composeMail({ ...DELIVERY, ...change }, CONTEXT).html));
}
