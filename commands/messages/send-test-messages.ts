import type { MessageSettings } from '#contract/message-settings.ts';
import { sampleOffer } from '#contract/sample-offer.ts';
import { consoleOf, type Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import type { Site } from '../../supabase/functions/deliver/compose-mail.ts';
import { type Delivery, type MessageOffer, NOTICES } from '../../supabase/functions/deliver/delivery.ts';
import { createSend } from '../../supabase/functions/deliver/send.ts';

const AMOUNT = { amount: '$1,200', value: 1200, currency: 'USD' };

type Move = NonNullable<MessageOffer['move']>;
type Deal = NonNullable<MessageOffer['deal']>;
type Example = Pick<Delivery, 'kind'> & {
  move?: Partial<Move> & Pick<Move, 'kind' | 'side'>;
  deal?: Pick<Deal, 'change'>;
};

/** Of each message to the owner. */
const TO_OWNER: readonly Example[] = [
  { kind: 'offer' },
  { kind: 'overdue' },
  { kind: 'low' },
  { kind: 'move', move: { side: 'buyer', kind: 'accept', ...AMOUNT } },
  { kind: 'expired', move: { side: 'owner', kind: 'counter', ...AMOUNT } },
  { kind: 'silent', move: { side: 'buyer', kind: 'accept', ...AMOUNT } },
  { kind: 'unpaid', deal: {} },
  { kind: 'pay_link', deal: { change: { to: 'https://pay.example/test', at: new Date().toISOString() } } },
  { kind: 'wrong_codes' },
  { kind: 'recovery_code' },
  { kind: 'recovered' },
];

/** Of each mail to a buyer; a confirmation is sent with MAIL_CONFIRM alone. */
const TO_BUYER: readonly Example[] = [
  { kind: 'confirmation' },
  { kind: 'reply', move: { side: 'owner', kind: 'counter', ...AMOUNT } },
  { kind: 'reply', move: { side: 'buyer', kind: 'accept', ...AMOUNT } },
  { kind: 'reply', move: { side: 'owner', kind: 'decline' } },
  { kind: 'reminder', deal: {} },
];

/**
 * Sends one example of each message to each target of the owner, and prints what the server of each said. Mails to buyers
 * go to the owner's addresses. Where a server does not work, no other message is tried there.
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
    // The page of a link that opens nothing.
    readSite: async () => ({
      ...site,
      isTest: true,
      linkOf: () => `${site.siteUrl}/offer/#${'0'.repeat(32)}`,
    }),
  });
  let accepted = true;
  for (const target of targets) {
    const isMail = target.startsWith('mailto:');
    const name = isMail ? target.slice('mailto:'.length) : new URL(target).host;
    const toBuyer = isMail
      ? TO_BUYER.filter(({ kind }) => kind !== 'confirmation' || messages.mail?.confirm)
      : [];
    const examples = [...TO_OWNER, ...toBuyer];
    for (const [index, example] of examples.entries()) {
      const outcome = await send(deliveryOf(example, target));
      const isSent = outcome.status === 'sent';
      const what = example.kind === 'reply' ? `reply (${example.move?.kind})` : example.kind;
      log(`${isSent ? '✓' : '✗'} ${what} to ${name}: ${isSent ? outcome.response : outcome.reason}`);
      accepted &&= isSent;
      if (outcome.status === 'failed' && outcome.failure?.certain && index < examples.length - 1) {
        log(`  The other ${examples.length - 1 - index} messages to ${name} were not tried.`);
        break;
      }
    }
  }
  return accepted;
}

/** A message about an offer that does not exist: the dashboard says so when its link is opened. */
function deliveryOf({ kind, move, deal }: Example, target: string): Delivery {
  const at = new Date().toISOString();
  const offer: MessageOffer = sampleOffer({
    id: crypto.randomUUID(),
    domain_name: 'test.example',
    offer_amount: '$1,000 (a test message)',
    ...{ value: 1000, currency: 'USD', asking_price: '$1,250' },
    customer_name: 'Ada Test',
    customer_email: 'ada@example.com',
    created_at: at,
    held: false,
    ...(move && { move: { number: 2, at, ...move, ...(move.kind === 'counter' && { valid_until: at }) } }),
    ...(deal && { deal: { number: 1, reference: 'TEST-0000', ...AMOUNT, pay_by: at.slice(0, 10), ...deal } }),
  });
  const isNotice = NOTICES.some((notice) => notice === kind);
  const isDigest = kind === 'low' || isNotice;
  return {
    ids: [0],
    kind,
    target,
    locale: null,
    batch: isDigest ? crypto.randomUUID() : null,
    attempts: 1,
    offers: isNotice ? [] : [offer],
    ...(kind === 'recovered' && {
      recovery: {
        problem: 'The mail server smtp.example.com does not accept the login.',
        since: at,
        waited: 12,
      },
    }),
  };
}
