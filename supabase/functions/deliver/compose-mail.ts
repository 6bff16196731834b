/** A delivery as a mail: text and HTML, one Message-ID over all attempts. */
import type { SendMailOptions } from 'nodemailer';
import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import type { MailSettings } from '../_shared/contract/message-settings.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { composeConfirmation } from './confirmation.ts';
import { type Delivery, emailOf, hostOf, idOf, type MessageOffer } from './delivery.ts';
import { mailStyle } from './mail-style.ts';
import { type OfferLines, type OwnerMessage, ownerMessage } from './owner-message.ts';
import { plainLine } from './plain-line.ts';
import { composeReply } from './reply.ts';

/** What messages name of the site. */
export interface Site {
  /** The origin that has the dashboard. */
  readonly siteUrl: string;
  /** The catalogue's first language: that of a confirmation without a locale. */
  readonly language: string | undefined;
  /** Of the catalogue; absent: nothing is configured. */
  readonly settings?: PublishedSettings;
  /** The buyer's link to a negotiation; undefined where it is not known. */
  readonly linkOf?: (offer: MessageOffer) => string | undefined;
}

export interface MailContext extends Site {
  readonly mail: MailSettings;
}

/** @throws TypeError where the target is none of mail */
export function composeMail(
  delivery: Delivery,
  { mail, siteUrl, language, settings = {}, linkOf }: MailContext,
): SendMailOptions {
  const to = emailOf(delivery.target);
  const [offer] = delivery.offers;
  if (to === undefined) throw new TypeError('not a mail');
  const common: SendMailOptions = {
    from: { ...mail.from },
    // As an object, so that nothing in it is parsed as a list of addresses.
    to: { name: '', address: to },
    messageId: `<${idOf(delivery)}@${hostOf(mail.from.address)}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  if ((delivery.kind === 'confirmation' || delivery.kind === 'reply') && offer) {
    const replyTo = settings.contact === undefined ? mail.to : [settings.contact];
    const languages = [delivery.locale, language];
    const composed =
      delivery.kind === 'reply'
        ? composeReply(offer, languages, settings, linkOf?.(offer))
        : composeConfirmation(offer, languages, settings, replyTo.length > 0);
    return {
      ...common,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': composed.language },
      replyTo: replyTo.map((address) => ({ name: '', address })),
      subject: composed.subject,
      text: composed.text,
      html: page(composed.language, composed.html, settings),
    };
  }
  const message = ownerMessage(delivery, siteUrl, settings.replyWithin);
  return {
    ...common,
    headers: { 'Auto-Submitted': 'auto-generated' },
    subject: withoutEncodedWords(message.subject),
    // A digest has many customers, and a reply to it none.
    ...(delivery.batch === null &&
      offer &&
      !ENCODED_WORD.test(offer.customer_email) && { replyTo: replyToOf(offer) }),
    text: textOf(message),
    html: page('en', htmlOf(message), settings),
  };
}

/** What a mail program would decode: `=?utf-8?B?DQpCY2M6?=`. */
const ENCODED_WORD = /=\?[^?]*\?[^?]*\?[^?]*\?=/;

/** The text of a header, in which nothing that a visitor typed is decoded. */
function withoutEncodedWords(line: string): string {
  return line.replaceAll('=?', '= ?');
}

function replyToOf({ customer_name, customer_email }: MessageOffer) {
  return { name: withoutEncodedWords(plainLine(customer_name)), address: customer_email };
}

const LABELS = [
  ['Domain', 'domain'],
  ['Offer', 'amount'],
  ['Asking', 'asking'],
  ['Name', 'name'],
  ['Email', 'email'],
  ['Language', 'language'],
  ['Time', 'time'],
] as const;

/** The rows of an offer, without what is not known. */
function rowsOf(offer: OfferLines): [label: string, value: string][] {
  return LABELS.flatMap(([label, field]) => {
    const value = offer[field];
    return value === undefined ? [] : [[label, value]];
  });
}

function textOf({ lead, offers }: OwnerMessage): string {
  const blocks = offers.map((offer) =>
    [
      ...rowsOf(offer).map(([label, value]) => `${`${label}:`.padEnd(7)} ${value}`),
      offer.url,
      // Quoted, so that no line of it can pass for one of ours.
      ...(offer.message.length > 0 ? ['Message:', ...offer.message.map((line) => `> ${line}`)] : []),
    ].join('\n'),
  );
  return `${[...(lead ? [lead] : []), ...blocks].join('\n\n')}\n`;
}

function htmlOf({ lead, offers }: OwnerMessage): string {
  return [...(lead ? [`<p>${escapeMarkup(lead)}</p>`] : []), ...offers.map(tableOf)].join('\n');
}

function tableOf(offer: OfferLines): string {
  const rows = rowsOf(offer).map(([label, value]) => rowOf(label, [value]));
  if (offer.message.length > 0) rows.push(rowOf('Message', offer.message));
  const link = `<p><a href="${escapeMarkup(offer.url)}">Open in the dashboard</a></p>`;
  return `<table class="offer" cellpadding="4">\n${rows.join('\n')}\n</table>\n${link}`;
}

function rowOf(label: string, lines: readonly string[]): string {
  const cell = lines.map((line) => `<bdi>${escapeMarkup(line)}</bdi>`).join('<br>');
  return `<tr><th align="left" valign="top">${label}</th><td>${cell}</td></tr>`;
}

function page(language: string, body: string, { accent }: PublishedSettings): string {
  return `<!doctype html>\n<html lang="${escapeMarkup(language)}">\n<head>\n<meta charset="utf-8">\n${mailStyle(accent)}\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
}
