/**
 * Sends the messages that are due. From time to time it also reports what is configured, and queues the alarms of offers
 * that have been pending for too long.
 */
import * as z from 'zod/mini';
import type { CallDatabase } from '../_shared/call-database.ts';
import type { MessageSettings } from '../_shared/contract/message-settings.ts';
import type { Log } from '../_shared/log.ts';
import { ownerTargets } from '../_shared/message-targets.ts';
import { oneAtATime } from '../_shared/one-at-a-time.ts';
import { readJson } from '../_shared/read-json.ts';
import { Rejection } from '../_shared/rejection.ts';
import type { Handler } from '../_shared/serve-function.ts';
import { type Delivered, deliverMessages } from './deliver-messages.ts';
import type { Send } from './delivery.ts';

const BODY_BOUNDS = { maxBytes: 1024, timeoutMs: 5_000 };

/** Offers become overdue slowly, and settings change with a restart alone: neither is checked after each offer. */
const CHECK_INTERVAL_MS = 60_000;

const BodySchema = z.strictObject({
  /** Messages that failed before are tried at once: for the start of the server. */
  retry: z.optional(z.boolean()),
  /** A message to the owner about a sign-in, sent once to each target. */
  notice: z.optional(z.enum(['wrong_codes', 'recovery_code'])),
});

export interface Deliver {
  readonly messages: MessageSettings;
  readonly send: Send;
  readonly callDatabase: CallDatabase;
  readonly log: Log;
  /** Milliseconds since any moment. */
  readonly now?: () => number;
}

/** The response has the number of messages that were sent, that failed for good, and that will be tried again. */
export function createDeliver({
  messages,
  send,
  callDatabase,
  log,
  now = () => performance.now(),
}: Deliver): Handler {
  let nextCheck = Number.NEGATIVE_INFINITY;
  let retry = false;
  const deliver = oneAtATime(async () => {
    if (retry) await callDatabase('make_messages_due', {});
    retry = false;
    if (now() >= nextCheck) {
      const { mail, webhooks } = messages;
      await callDatabase('report_delivery', { mail: mail?.to.length ?? 0, webhooks: webhooks.urls.length });
      const targets = ownerTargets(messages);
      if (targets.length > 0) await callDatabase('queue_overdue', { targets });
      nextCheck = now() + CHECK_INTERVAL_MS;
    }
    const kinds = await deliverMessages({ callDatabase, send });
    log.messages(kinds);
    return totalOf(Object.values(kinds));
  });
  const sendNotice = async (kind: 'wrong_codes' | 'recovery_code'): Promise<Delivered> => {
    const batch = crypto.randomUUID();
    const common = { ids: [], kind, locale: null, batch, attempts: 1, offers: [] };
    const outcomes = await Promise.all(ownerTargets(messages).map((target) => send({ ...common, target })));
    const sent = outcomes.filter(({ status }) => status === 'sent').length;
    const counts = { sent, failed: outcomes.length - sent, queued: 0 };
    log.messages({ [kind]: counts });
    return counts;
  };
  return async (request) => {
    const body = BodySchema.safeParse(await readJson(request, BODY_BOUNDS));
    if (!body.success) throw new Rejection('malformed');
    const { notice } = body.data;
    if (notice) return { status: 200, body: await sendNotice(notice) };
    retry ||= body.data.retry === true;
    return { status: 200, body: await deliver() };
  };
}

function totalOf(counts: readonly Delivered[]): Delivered {
  const total = (outcome: keyof Delivered) => counts.reduce((sum, count) => sum + count[outcome], 0);
  return { sent: total('sent'), failed: total('failed'), queued: total('queued') };
}
