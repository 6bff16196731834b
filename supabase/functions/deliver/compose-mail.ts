/** A delivery as a mail: text and HTML, one Message-ID over all attempts. */
import type { SendMailOptions } from 'nodemailer';
import type { MailSettings } from '../_shared/contract/message-settings.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { confirmation } from './confirmation.ts';
import { type Delivery, emailOf, hostOf, idOf, isToVisitor, type MessageOffer } from './delivery.ts';
import { canReplyTo, ownerMail, withoutEncodedWords } from './owner-mail.ts';
import { plainLine } from './plain-line.ts';
import { type MailContent, renderMail } from './render-mail.ts';
import { reminder, reply } from './reply.ts';

/** What messages name of the site. */
export interface Site {
  /** The origin that has the dashboard. */
  readonly siteUrl: string;
  /** The catalogue's first language: that of a confirmation without a locale. */
  readonly language: string | undefined;
  /** Of the catalogue; absent: nothing is configured. */
  readonly settings?: PublishedSettings;
  /** Of examples, whose subjects say so. */
  readonly isTest?: boolean;
  /** The buyer's link to a negotiation; undefined where it is not known. */
  readonly linkOf?: (offer: MessageOffer) => string | undefined;
}

export interface MailContext extends Site {
  readonly mail: MailSettings;
}

/** @throws TypeError where the target is none of mail */
export function composeMail(
  delivery: Delivery,
  { mail, siteUrl, language, settings = {}, linkOf, isTest = false }: MailContext,
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
  const rendered = (content: MailContent) =>
    renderMail(isTest ? { ...content, subject: `Test: ${content.subject}` } : content, settings);
  if (isToVisitor(delivery) && offer) {
    const replyTo = settings.contact === undefined ? mail.to : [settings.contact];
    const languages = [delivery.locale, language];
    const content: MailContent =
      delivery.kind === 'reply'
        ? reply(offer, languages, linkOf?.(offer))
        : delivery.kind === 'reminder'
          ? reminder(offer, languages, linkOf?.(offer))
          : confirmation(offer, languages, settings, replyTo.length > 0, linkOf?.(offer));
    return {
      ...common,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': content.language },
      replyTo: replyTo.map((address) => ({ name: '', address })),
      ...rendered(content),
    };
  }
  return {
    ...common,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A digest has many customers, and a reply to it none.
    ...(delivery.batch === null && offer && canReplyTo(offer) && { replyTo: replyToOf(offer) }),
    ...rendered(ownerMail(delivery, siteUrl, settings)),
  };
}

function replyToOf({ customer_name, customer_email }: MessageOffer) {
  return { name: withoutEncodedWords(plainLine(customer_name)), address: customer_email };
}
