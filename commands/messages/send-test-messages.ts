import type { MessageSettings } from '#contract/message-settings.ts';
import { consoleOf, type Io } from '../../config/command.ts';
import { UserError } from '../../config/user-error.ts';
import type { Site } from '../../supabase/functions/deliver/compose-mail.ts';
import type { Delivery } from '../../supabase/functions/deliver/delivery.ts';
import { createSend } from '../../supabase/functions/deliver/send.ts';

/**
 * Sends one example of each message to each target of the owner, and prints what the server of each said. A confirmation
 * goes to the owner's addresses.
 * @returns whether all were accepted
 * @throws UserError where nothing is configured
 */
export async function sendTestMessages(messages: MessageSettings, site: Site, io: Io): Promise<boolean> {
  const { log } = consoleOf(io);
  const targets = [...(messages.mail?.to.map((email) => `mailto:${email}`) ?? []), ...messages.webhooks.urls];
  if (targets.length === 0) {
    throw new UserError(
      'No messages are configured: set SMTP_URL, MAIL_FROM and MAIL_TO, or NOTIFY_URL. See .env.example.',
    );
  }
  const mail = messages.mail && { ...messages.mail, confirm: true };
  const send = createSend({
    messages: { ...messages, mail },
    readSite: async () => site,
  });
  let accepted = true;
  for (const target of targets) {
    const isMail = target.startsWith('mailto:');
    const name = isMail ? target.slice('mailto:'.length) : new URL(target).host;
    for (const kind of ['offer', 'overdue', 'confirmation'] as const) {
      if (kind === 'confirmation' && !(isMail && messages.mail?.confirm)) continue;
      const outcome = await send(exampleOf(kind, target));
      const isSent = outcome.status === 'sent';
      log(`${isSent ? '✓' : '✗'} ${kind} to ${name}: ${isSent ? outcome.response : outcome.reason}`);
      accepted &&= isSent;
    }
  }
  return accepted;
}

/** A message about an offer that does not exist: the dashboard says so when its link is opened. */
function exampleOf(kind: Delivery['kind'], target: string): Delivery {
  const id = crypto.randomUUID();
  const offer = {
    id,
    domain_name: 'test.example',
    offer_amount: '$1,000 (a test message)',
    customer_name: 'Ada Test',
    customer_email: 'ada@example.com',
    created_at: new Date().toISOString(),
    held: false,
  };
  return { ids: [0], kind, target, locale: null, batch: null, attempts: 1, offers: [offer] };
}
