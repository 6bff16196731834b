/**
 * Sends the messages that are due. From time to time it also reports what is configured, and queues the alarms of offers
 * that have been pending for too long.
 */
import type { CallDatabase } from '../_shared/call-database.ts';
import type { DeliverBody } from '../_shared/call-deliver.ts';
import type { MessageSettings } from '../_shared/contract/message-settings.ts';
import type { Log } from '../_shared/log.ts';
import { ownerTargets } from '../_shared/message-targets.ts';
import { oneAtATime } from '../_shared/one-at-a-time.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { type Delivered, deliverMessages } from './deliver-messages.ts';
import { emailOf, type NOTICES, type Recovery, type Send } from './delivery.ts';

/** Offers become overdue slowly, and settings change with a restart alone: neither is checked after each offer. */
const CHECK_INTERVAL_MS = 60_000;

/** Returns the number of messages that were sent, that failed for good, and that will be tried again. */
export type Deliver = (body: DeliverBody) => Promise<Delivered>;

export interface DeliverContext {
  readonly messages: MessageSettings;
  readonly send: Send;
  readonly callDatabase: CallDatabase;
  readonly log: Log;
  /** Of mails to buyers. */
  readonly replyLimits: readonly Limit[];
  /** The keyed hash of a text: the database learns that settings were changed, and not what they are. */
  readonly hashOf: (text: string) => string;
  /** Milliseconds since any moment. */
  readonly now?: () => number;
}

export function createDeliver({
  messages,
  send,
  callDatabase,
  log,
  replyLimits,
  hashOf,
  now = () => performance.now(),
}: DeliverContext): Deliver {
  let nextCheck = Number.NEGATIVE_INFINITY;
  let retry = false;
  const deliver = oneAtATime(async () => {
    if (retry) await callDatabase('make_messages_due', {});
    retry = false;
    if (now() >= nextCheck) {
      const { mail, webhooks } = messages;
      const recovered = await callDatabase('report_delivery', {
        mail: mail?.to.length ?? 0,
        webhooks: webhooks.urls.length,
        servers: hashesOf(messages, hashOf),
      });
      for (const { server, ...recovery } of recovered) await reportRecovery(server, recovery);
      const targets = ownerTargets(messages);
      const reminds = mail?.confirm === true;
      if (targets.length > 0 || reminds)
        await callDatabase('queue_overdue', { targets, ...(reminds && { reminder_limits: replyLimits }) });
      nextCheck = now() + CHECK_INTERVAL_MS;
    }
    const kinds = await deliverMessages({ callDatabase, send });
    log.messages(kinds);
    return totalOf(Object.values(kinds));
  });
  const sendNotice = async (
    kind: (typeof NOTICES)[number],
    targets: readonly string[],
    recovery?: Recovery,
  ): Promise<Delivered> => {
    const batch = crypto.randomUUID();
    const common = {
      ids: [],
      kind,
      locale: null,
      batch,
      attempts: 1,
      offers: [],
      ...(recovery && { recovery }),
    };
    const outcomes = await Promise.all(targets.map((target) => send({ ...common, target })));
    const sent = outcomes.filter(({ status }) => status === 'sent').length;
    const counts = { sent, failed: outcomes.length - sent, queued: 0 };
    log.messages({ [kind]: counts });
    return counts;
  };
  /** By mail, or to the webhooks where there is none. Where no target took it, it is sent again. */
  const reportRecovery = async (server: string, recovery: Recovery): Promise<void> => {
    const targets = ownerTargets(messages);
    const mails = targets.filter((target) => emailOf(target) !== undefined);
    const { sent } = await sendNotice('recovered', mails.length > 0 ? mails : targets, recovery);
    if (sent > 0) await callDatabase('mark_recovery_reported', { server });
  };
  return async (body) => {
    if (body.notice) return await sendNotice(body.notice, ownerTargets(messages));
    retry ||= body.retry === true;
    return await deliver();
  };
}

/** What the settings of each server are, by its name in the database. */
function hashesOf(
  { mail, webhooks }: MessageSettings,
  hashOf: DeliverContext['hashOf'],
): Record<string, string> {
  const servers = [
    ...(mail ? [['mailto:', { ...mail.server, from: mail.from }] as const] : []),
    ...webhooks.urls.map((url) => [url, { url, secret: webhooks.secret }] as const),
  ];
  return Object.fromEntries(servers.map(([server, settings]) => [server, hashOf(JSON.stringify(settings))]));
}

function totalOf(counts: readonly Delivered[]): Delivered {
  const total = (outcome: keyof Delivered) => counts.reduce((sum, count) => sum + count[outcome], 0);
  return { sent: total('sent'), failed: total('failed'), queued: total('queued') };
}
