/** Deliveries and settings for tests. */

import type { MailSettings } from '../_shared/contract/message-settings.ts';
import { sampleOffer } from '../_shared/contract/sample-offer.ts';
import type { Delivery, MessageOffer } from './delivery.ts';

export const SITE_URL = 'https://admin.example';

export const OFFER: MessageOffer = sampleOffer({
  id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162',
  customer_email: 'Ada@example.com',
  created_at: '2026-11-23T05:18:09.123456+00:00',
  held: false,
});

export const DELIVERY: Delivery = {
  ids: [1],
  kind: 'offer',
  target: 'mailto:owner@example.com',
  locale: null,
  batch: null,
  attempts: 1,
  offers: [OFFER],
};

export const BATCH = '0198d9f5-0000-7c1e-8f3a-1d2e3f405162';

export const MAIL: MailSettings = {
  server: { host: '127.0.0.1', port: 25, secure: false, requireTls: false, auth: undefined },
  from: { name: 'Domains', address: 'offers@mail.example' },
  to: ['owner@example.com'],
  confirm: true,
};
