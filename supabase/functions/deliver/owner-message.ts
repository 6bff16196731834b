/** What a message to the owner says, whether it goes by mail or to a webhook. */
import { forEachVisitorField, type VisitorFieldName } from '../_shared/contract/offer-fields.ts';
import { priceOf, readAmount } from '../_shared/contract/price-of.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { hoursOf, replyTime, urgentHoursOf } from '../_shared/contract/reply-within.ts';
import {
  percent,
  priceIn,
  type ShownAmount,
  shareOf,
  shownMove,
  shownPrice,
} from '../_shared/contract/shown-amount.ts';
import { CONFIRMATION_TEXTS, hasTexts } from './confirmation-texts.ts';
import type { Delivery, MessageOffer } from './delivery.ts';
import { plainLine, plainLines } from './plain-line.ts';
import type { Step } from './render-mail.ts';
import { dateIn, timeIn } from './time-in.ts';

/** Code points of a name or an amount in a subject. */
const MAX_IN_SUBJECT = 40;

const HOUR_MS = 3_600_000;

/** What a mail program would decode in a header: `=?utf-8?B?DQpCY2M6?=`. */
export const ENCODED_WORD = /=\?[^?]*\?[^?]*\?[^?]*\?=/;

/** What the buyer did, by kind of move. */
const MOVES: Readonly<Record<string, string>> = {
  accept: 'accepted your counter-offer for',
  offer: 'made another offer for',
  withdraw: 'withdrew the offer for',
};

/** What the amount of a move is, by its kind. */
const AMOUNTS: Readonly<Record<string, string>> = {
  accept: 'Agreed',
  counter: 'Counter-offer',
  offer: 'Offer',
};

export interface OwnerMessage {
  /** The fact, in one line, with the amount where it can be read in one way. */
  readonly subject: string;
  /** Sentences before the offers; may be empty. */
  readonly lead: string;
  readonly offers: readonly OfferLines[];
  /** What to do next, after an acceptance. */
  readonly steps: readonly Step[];
  /** Whether an answer is due. */
  readonly isOpen: boolean;
}

/** One offer. Every text is without control characters, and but for the message one line; nothing is escaped. */
export interface OfferLines {
  readonly url: string;
  readonly domain: string;
  /** The amount that counts: what was agreed or named last. The buyer's own stays as typed until it is agreed. */
  readonly amount: ShownAmount;
  readonly amountLabel: string;
  /** The same written anew; undefined where it cannot be read in one way. */
  readonly price: string | undefined;
  /** Its share of the asking price: `80 % of your asking price`, and at most 1 as a number. */
  readonly share: { readonly text: string; readonly part: number } | undefined;
  /** The amount that was offered first; undefined where it is the one that counts. */
  readonly firstOffer: string | undefined;
  /** What the visitor filled in; the amount is that of the first offer. */
  readonly texts: Readonly<Record<VisitorFieldName, string>>;
  /** Of the offer, the move or the changed link: `Nov 23, 2026, 5:18 AM UTC`. */
  readonly time: string;
  /** The end date of a counter-offer. */
  readonly ended: string | undefined;
  /** Until when the page promises an answer; undefined where it promises none. */
  readonly answerBy: string | undefined;
  /** Of the deal that the message is about. */
  readonly reference: string | undefined;
  readonly payBy: string | undefined;
  /** Asking price; undefined where it is not known. */
  readonly asking: ShownAmount | undefined;
  /** Of the page, in English: `German`; undefined where it is not known. */
  readonly language: string | undefined;
  readonly held: boolean;
  /** The lines of the customer's message, or of the move's note; none without one. */
  readonly message: readonly string[];
  readonly messageLabel: string;
  /** Whether they are the owner's. */
  readonly isOwnNote: boolean;
}

/**
 * @param siteUrl the origin that has the dashboard
 * @param settings of the catalogue
 */
export function ownerMessage(delivery: Delivery, siteUrl: string, settings: PublishedSettings): OwnerMessage {
  const { ids, kind, batch, offers, recovery } = delivery;
  if (kind === 'recovered' && recovery) {
    const { problem, since, waited } = recovery;
    const title = `${waited === 1 ? '1 message' : `${waited.toLocaleString('en')} messages`} waited since ${timeIn('en', Date.parse(since))}`;
    return {
      subject: title,
      lead: `What waited is sent now. Until then: ${problem}`,
      ...{ offers: [], steps: [], isOpen: false },
    };
  }
  if (kind === 'wrong_codes' || kind === 'recovery_code') {
    const what = kind === 'wrong_codes' ? 'entered three wrong codes' : 'signed in with a recovery code';
    return {
      subject: `Sign-in: somebody with your password ${what}`,
      lead: `Somebody with your password for ${siteUrl}/admin ${what}. If that was not you, run on the server: npm run admin -- password EMAIL. It ends every session of the account.`,
      ...{ offers: [], steps: [], isOpen: false },
    };
  }
  const lines = offers.map((offer) => linesOf(offer, delivery, siteUrl, settings));
  const move = offers[0]?.move;
  return {
    subject: titleOf(delivery, lines[0]),
    lead: leadOf(delivery, settings.replyWithin) + restOf(ids.length - offers.length, offers.length, kind),
    offers: lines,
    steps: kind === 'move' && move?.kind === 'accept' && lines[0] ? stepsOf(lines[0], offers[0]?.deal) : [],
    isOpen: batch === null && (kind === 'expired' || (move ? move.kind === 'offer' : !offers[0]?.deal)),
  };
}

function titleOf({ ids, kind, batch, offers }: Delivery, first: OfferLines | undefined): string {
  const move = offers[0]?.move;
  if (batch !== null || first === undefined || kind === 'low') {
    const count = ids.length === 1 ? '1 offer' : `${ids.length.toLocaleString('en')} offers`;
    const held = offers.every((offer) => offer.held);
    if (kind === 'overdue') return `Still pending: ${count}`;
    if (kind === 'low') return `${count} below your minimum`;
    return held ? `${count}, held for review` : count.replace(' ', ' new ');
  }
  const { domain, price } = first;
  const name = inSubject(first.texts.customer_name) || 'A visitor';
  if (kind === 'expired') return `Your counter-offer to ${name} for ${domain} has ended`;
  if (kind === 'unpaid') return `Not paid yet: ${domain}, by ${name}`;
  if (kind === 'pay_link') return `The link to pay for ${domain} was changed`;
  if (kind === 'silent') return `Nothing heard from ${name} about ${domain} for 7 days`;
  if (move?.kind === 'accept' && price) return `Agreed: ${price} for ${domain}`;
  if (move?.kind === 'offer' && price) return `Another offer: ${price} for ${domain}`;
  if (move) return `${name} ${MOVES[move.kind] ?? 'made a move for'} ${domain}`;
  if (kind === 'overdue') return `Still pending: ${price ?? 'offer'} for ${domain}`;
  return price ? `${price} for ${domain}` : `New offer for ${domain}`;
}

/** A text of a visitor's for a subject: short, and without what a mail program decodes there. */
export function inSubject(text: string): string {
  const plain = text.replaceAll(new RegExp(ENCODED_WORD, 'g'), ' ').replace(/\s+/g, ' ').trim();
  const points = Array.from(plain);
  return points.length <= MAX_IN_SUBJECT
    ? plain
    : `${points
        .slice(0, MAX_IN_SUBJECT - 1)
        .join('')
        .trim()}…`;
}

function leadOf({ kind, offers }: Delivery, replyWithin: string | undefined): string {
  switch (kind) {
    case 'overdue':
      return `Pending for more than ${urgentTime(replyWithin)}. Your page promises an answer within ${replyTime(replyWithin, CONFIRMATION_TEXTS.en.replyTime)}.`;
    case 'low':
      return 'Low: below the minimum of the catalogue. The page said so, and promised no answer.';
    case 'expired':
      return 'The end date of your counter-offer has passed. The buyer can still make another offer.';
    case 'silent':
      return 'This offer was accepted 7 days ago, and nothing has happened since. Write to the buyer, or take it back.';
    case 'unpaid':
      return '“Pay by” has passed, and nothing is ticked as paid. Look at your account, then write to the buyer, choose another date, or take the acceptance back.';
    case 'pay_link':
      return payLinkChanged(offers[0]?.deal?.change);
    case 'move':
      return offers[0]?.move?.kind === 'withdraw' ? 'The negotiation is over: there is nothing to do.' : '';
    default:
      return offers.every((offer) => offer.held)
        ? 'Held for review: too many offers arrived at once from where these come from.'
        : '';
  }
}

/** Who changed which link, and what to do where it was an attacker. */
function payLinkChanged(change: NonNullable<MessageOffer['deal']>['change']): string {
  const was = change?.from === undefined ? 'there was none' : `it was ${change.from}`;
  const is = change?.to === undefined ? 'There is none any more' : `It is ${change.to}`;
  return `${is}; ${was}. Changed by ${change?.by ?? 'an account that is gone'}. If that was none of you, take the link out in the dashboard, and run on the server: npm run admin -- password EMAIL. It ends every session of the account.`;
}

/** A digest of these kinds names its oldest offers alone. */
function restOf(rest: number, listed: number, kind: Delivery['kind']): string {
  return rest > 0 && (kind === 'overdue' || kind === 'low') ? ` The oldest ${listed} are listed here.` : '';
}

function stepsOf({ domain }: OfferLines, deal: MessageOffer['deal']): Step[] {
  return [
    {
      text: 'Reserve the name on the server, so that it takes no other offers:',
      code: `npm run catalogue -- reserve ${domain} && npm run build`,
    },
    {
      text: deal?.way
        ? `The buyer sees where to pay. Tick it as paid in the dashboard once the money has arrived with the reference ${deal.reference}.`
        : 'Send the buyer an invoice, or open a case at an escrow service.',
    },
    { text: 'Transfer the name once the money has arrived.' },
  ];
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

function linesOf(
  offer: MessageOffer,
  { kind }: Delivery,
  siteUrl: string,
  { replyWithin, currencies }: PublishedSettings,
): OfferLines {
  const { move, deal, current_amount, held } = offer;
  const arrived = Date.parse(offer.created_at);
  const promises = (kind === 'offer' || kind === 'overdue') && !held;
  const texts = forEachVisitorField((_, column) => plainLine(offer[column]));
  const first = texts.offer_amount;
  const isDeal = deal !== undefined && move === undefined;
  const typed = plainLine(move?.amount ?? deal?.amount ?? current_amount ?? first);
  const asking = priceOf(plainLine(offer.asking_price ?? ''), currencies);
  // Of a later amount that an alarm names, the delivery has the text alone.
  const later = () => {
    const price = readAmount(typed, { currency: asking?.currency, currencies });
    return { value: price && Number(price.amount), currency: price?.currency };
  };
  const stored = move ?? deal ?? (typed === first ? offer : later());
  const clear = shownMove({ ...stored, kind: 'accept', amount: typed }, 'en');
  const share = shareOf(priceIn(stored), asking);
  return {
    url: urlOf(offer, siteUrl),
    domain: plainLine(offer.domain_name),
    amount: shownMove(
      isDeal ? { ...deal, kind: 'accept', amount: typed } : { kind: '', ...move, amount: typed },
      'en',
    ),
    amountLabel: isDeal ? 'Agreed' : move ? (AMOUNTS[move.kind] ?? 'Last amount') : 'Offer',
    price: clear.isClear ? clear.text : undefined,
    share:
      clear.isClear && share !== undefined ? { text: shareText(share), part: Math.min(1, share) } : undefined,
    firstOffer: typed === first ? undefined : first,
    texts,
    time: timeIn('en', Date.parse(move?.at ?? deal?.change?.at ?? offer.created_at)),
    ended: kind === 'expired' && move?.valid_until ? timeIn('en', Date.parse(move.valid_until)) : undefined,
    answerBy: promises ? timeIn('en', arrived + hoursOf(replyWithin) * HOUR_MS) : undefined,
    reference: deal?.reference,
    payBy: deal?.pay_by === undefined ? undefined : dateIn('en', deal.pay_by),
    asking: offer.asking_price ? shownPrice(plainLine(offer.asking_price), 'en', currencies) : undefined,
    language: hasTexts(offer.language) ? CONFIRMATION_TEXTS[offer.language].name : undefined,
    held,
    message: textOf(offer),
    isOwnNote: move?.side === 'owner',
    messageLabel: move ? (move.side === 'owner' ? 'Your note' : 'Note') : 'Message',
  };
}

function shareText(share: number): string {
  if (share > 1) return 'More than your asking price';
  return share === 1 ? 'Your asking price' : `${percent(share)} of your asking price`;
}

/** What was added to the offer, or to the move that the message is about. */
function textOf({ message, move }: MessageOffer): string[] {
  const text = move ? move.note : message;
  return text ? plainLines(text) : [];
}
