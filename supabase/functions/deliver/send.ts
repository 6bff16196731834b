/** Sends a delivery to its target: by mail, or to a webhook. */

import type { MessageSettings } from '../_shared/contract/message-settings.ts';
import { isEnd } from '../_shared/offer-link.ts';
import type { Site } from './compose-mail.ts';
import { emailOf, isToVisitor, type Send } from './delivery.ts';
import { failed } from './failure.ts';
import { createSendMail } from './send-mail.ts';
import { sendWebhook } from './send-webhook.ts';

export interface SendContext {
  readonly messages: MessageSettings;
  readSite(): Promise<Site>;
}

/** A target that the settings do not name is a temporary failure: they may have been lost by mistake. */
export function createSend({ messages, readSite }: SendContext): Send {
  const { mail, webhooks } = messages;
  const sendMail = mail && createSendMail(mail);
  return async (delivery) => {
    const { kind, target } = delivery;
    const address = emailOf(target);
    if (address === undefined) {
      if (!webhooks.urls.includes(target)) return failed('NOTIFY_URL has this URL no more.');
      return sendWebhook(delivery, { ...(await readSite()), secret: webhooks.secret });
    }
    if (mail === undefined || sendMail === undefined) return failed('SMTP_URL is not set any more.');
    if (kind === 'confirmation' && !mail.confirm) return failed('MAIL_CONFIRM is not yes any more.');
    if (!isToVisitor(delivery) && !mail.to.includes(address))
      return failed('MAIL_TO has this address no more.');
    const site = await readSite();
    const [offer] = delivery.offers;
    // What other mails say is of use without it, too.
    const needsLink = kind === 'reminder' || (kind === 'reply' && offer?.move && !isEnd(offer.move));
    if (needsLink && offer && site.linkOf?.(offer) === undefined) return failed(NO_LINK);
    return sendMail(delivery, site);
  };
}

/** The next try finds the new one. */
const NO_LINK = 'The link was made with another secret key: make a new link in the dashboard.';
