/** What a message to the owner says, whether it goes by mail or to a webhook. */
import { replyTime, urgentHoursOf } from '../_shared/contract/reply-within.ts';
import { shorten } from '../_shared/contract/shorten.ts';
import { CONFIRMATION_TEXTS, hasTexts } from './confirmation-texts.ts';
import type { Delivery, MessageOffer } from './delivery.ts';
import { plainLine, plainLines } from './plain-line.ts';

/** Code points of an amount in a subject. */
const MAX_AMOUNT_IN_SUBJECT = 80;

/** What the buyer did, by kind of move. Their texts are in no subject. */
const MOVES: Readonly<Record<string, string>> = {
  accept: 'Counter-offer accepted',
  offer: 'Another offer',
  withdraw: 'Offer withdrawn',
};

/** By kind of message. */
const LEADS: Readonly<Record<string, string>> = {
  expired: 'The end date of your counter-offer has passed. The buyer can still make another offer.',
  silent:
    'This offer was accepted 7 days ago, and nothing has happened since. Write to the buyer, or take it back.',
};

export interface OwnerMessage {
  /** One line. */
  readonly subject: string;
  /** Sentences before the offers; may be empty. */
  readonly lead: string;
  readonly offers: readonly OfferLines[];
}

/** One offer. Every text is without control characters, and but for the message one line; nothing is escaped. */
export interface OfferLines {
  readonly url: string;
  readonly domain: string;
  readonly amount: string;
  readonly name: string;
  readonly email: string;
  /** `2026-11-23 05:18 UTC`. */
  readonly time: string;
  /** Asking price; undefined where it is not known. */
  readonly asking: string | undefined;
  /** Of the page, in English: `German`; undefined where it is not known. */
  readonly language: string | undefined;
  readonly held: boolean;
  /** The lines of the customer's message; none without one. */
  readonly message: readonly string[];
}

/**
 * @param siteUrl the origin that has the dashboard
 * @param replyWithin the catalogue's setting
 */
export function ownerMessage(
  { ids, kind, batch, offers }: Delivery,
  siteUrl: string,
  replyWithin: string | undefined,
): OwnerMessage {
  if (kind === 'wrong_codes' || kind === 'recovery_code') {
    const what = kind === 'wrong_codes' ? 'entered three wrong codes' : 'signed in with a recovery code';
    return {
      subject: `Sign-in: somebody with your password ${what}`,
      lead: `Somebody with your password for ${siteUrl}/admin ${what}. If that was not you, run on the server: npm run admin -- password EMAIL. It ends every session of the account.`,
      offers: [],
    };
  }
  const lines = offers.map((offer) => linesOf(offer, siteUrl));
  const [first] = lines;
  const one =
    batch === null && first ? `${first.domain}: ${shorten(first.amount, MAX_AMOUNT_IN_SUBJECT)}` : undefined;
  const count = ids.length === 1 ? '1 offer' : `${ids.length.toLocaleString('en')} offers`;
  const rest = ids.length > offers.length ? ` The oldest ${offers.length} are listed here.` : '';
  if (kind === 'overdue') {
    return {
      subject: one ? `Still pending: offer for ${one}` : `Still pending: ${count}`,
      lead: `Pending for more than ${urgentTime(replyWithin)}. Your page promises an answer within ${replyTime(replyWithin, CONFIRMATION_TEXTS.en.replyTime)}.${rest}`,
      offers: lines,
    };
  }
  if (kind === 'low') {
    return {
      subject: `${count} below your minimum`,
      lead: `Low: below the minimum of the catalogue. The page said so, and promised no answer.${rest}`,
      offers: lines,
    };
  }
  const move = offers[0]?.move;
  if (move && first) {
    const fact =
      kind === 'move'
        ? (MOVES[move.kind] ?? 'New move')
        : kind === 'expired'
          ? 'End date passed'
          : 'Nothing heard';
    return { subject: `${fact}: ${first.domain}`, lead: LEADS[kind] ?? '', offers: lines };
  }
  const held = offers.every((offer) => offer.held);
  return {
    subject: one ? `Offer for ${one}` : `${count}${held ? ', held for review' : ''}`,
    lead: held ? 'Held for review: too many offers arrived at once from where these come from.' : '',
    offers: lines,
  };
}

/** `20 hours`; in minutes where it is no number of hours. */
function urgentTime(replyWithin: string | undefined): string {
  const hours = urgentHoursOf(replyWithin);
  return Number.isInteger(hours) ? `${hours} hours` : `${Math.round(hours * 60)} minutes`;
}

/** The dashboard with this offer in view. */
export function urlOf(offer: MessageOffer, siteUrl: string): string {
  return `${siteUrl}/admin/dashboard#offer=${offer.id}`;
}

function linesOf(offer: MessageOffer, siteUrl: string): OfferLines {
  return {
    url: urlOf(offer, siteUrl),
    domain: plainLine(offer.domain_name),
    amount: plainLine(offer.move?.amount ?? offer.offer_amount),
    name: plainLine(offer.customer_name),
    email: plainLine(offer.customer_email),
    time: `${new Date(offer.created_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    asking: offer.asking_price && plainLine(offer.asking_price),
    language: hasTexts(offer.language) ? CONFIRMATION_TEXTS[offer.language].name : undefined,
    held: offer.held,
    message: textOf(offer),
  };
}

/** What the buyer added to the offer, or to the move that the message is about. */
function textOf({ message, move }: MessageOffer): string[] {
  const text = move ? move.note : message;
  return text ? plainLines(text) : [];
}
