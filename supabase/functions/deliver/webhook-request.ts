/** A delivery as the request of a webhook, signed as Standard Webhooks 1.0.0 says. */
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { VISITOR_COLUMNS } from '../_shared/contract/offer-fields.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { ENCODED_SECRET } from '../_shared/contract/setting-formats.ts';
import { shorten } from '../_shared/contract/shorten.ts';
import { type Delivery, idOf, type MessageOffer, shortName } from './delivery.ts';
import { ownerMessage, urlOf } from './owner-message.ts';
import { withoutMarkup } from './plain-line.ts';
import { stepText } from './render-mail.ts';

/** Discord takes 2,000 characters of `content`. */
const MAX_TEXT = 1_900;

export interface WebhookContext {
  /** The origin that has the dashboard. */
  readonly siteUrl: string;
  /** Of the catalogue. */
  readonly settings?: PublishedSettings;
  /** Of examples, whose texts say so. */
  readonly isTest?: boolean;
  /** NOTIFY_SECRET. */
  readonly secret: string | undefined;
}

export function webhookRequest(
  delivery: Delivery,
  { siteUrl, settings, isTest = false, secret }: WebhookContext,
): { headers: Record<string, string>; body: string } {
  const text = `${isTest ? 'Test: ' : ''}${textOf(delivery, siteUrl, settings)}`;
  const body = JSON.stringify({
    // Slack, Mattermost, Telegram and ntfy show `text`, Discord shows `content`.
    text,
    content: text,
    ...(delivery.kind === 'low' ? { kind: 'offer', low: true } : { kind: delivery.kind }),
    offers: delivery.offers.map((offer) => ({
      id: offer.id,
      domain: offer.domain_name,
      ...Object.fromEntries(VISITOR_COLUMNS.map((column) => [shortName(column), offer[column]])),
      ...(offer.currency && { value: offer.value, currency: offer.currency }),
      created_at: offer.created_at,
      held: offer.held,
      url: urlOf(offer, siteUrl),
      ...(offer.message && { message: offer.message }),
      ...(offer.move && { move: offer.move }),
      ...(offer.deal && { deal: dealOf(offer.deal) }),
    })),
  });
  // The parts of what is signed are joined by full stops, so that an id has none.
  const id = idOf(delivery).replaceAll('.', '_');
  const headers = { 'content-type': 'application/json', 'webhook-id': id };
  if (secret === undefined) return { headers, body };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    headers: {
      ...headers,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

/** What the owner's own programs need of a deal. */
function dealOf({ reference, amount, value, currency, pay_by, change }: NonNullable<MessageOffer['deal']>) {
  return { reference, amount, ...(currency && { value, currency }), pay_by, change };
}

/** The key of Standard Webhooks: what `whsec_` precedes is base64, another secret is its own bytes. */
function keyOf(secret: string): string | Buffer {
  return secret.startsWith(ENCODED_SECRET)
    ? Buffer.from(secret.slice(ENCODED_SECRET.length), 'base64')
    : secret;
}

function textOf(delivery: Delivery, siteUrl: string, settings: PublishedSettings = {}): string {
  const { subject, lead, offers, steps } = ownerMessage(delivery, siteUrl, settings);
  const single = delivery.batch === null;
  const blocks = offers.map(({ domain, amount, texts: { offer_amount: _, ...customer }, url, message }) =>
    [
      `${domain}: ${withoutMarkup(amount.text)}`,
      Object.values(customer).filter(Boolean).map(withoutMarkup).join(', '),
      url,
      // A digest names more offers instead; `offers` has the messages of all.
      ...(single ? message.map((line) => `> ${withoutMarkup(line)}`) : []),
    ].join('\n'),
  );
  // The subject of a single offer repeats what follows.
  const [first] = delivery.offers;
  const isMove = offers.length > 0 && (first?.move ?? first?.deal) !== undefined;
  const singleTitle = isMove
    ? withoutMarkup(subject)
    : delivery.kind === 'overdue'
      ? 'Offer still pending'
      : 'New offer';
  return shorten(
    [
      single ? singleTitle : subject,
      ...(lead ? [withoutMarkup(lead)] : []),
      ...blocks,
      ...steps.map(stepText),
    ].join('\n'),
    MAX_TEXT,
  );
}
