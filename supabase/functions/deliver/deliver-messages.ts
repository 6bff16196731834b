/**
 * Takes due messages from the database and sends them: the targets in parallel, so that none waits for another one that
 * hangs, and one message after the other to the same target. Each is counted as tried before it is sent; what was sent is marked by
 * the call that takes more.
 */
import { setTimeout as waitFor } from 'node:timers/promises';
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Delivery, emailOf, type MessageKind, readDeliveries, type Send } from './delivery.ts';
import { limitParallel } from './limit-parallel.ts';
import { MAX_CONNECTIONS } from './send-mail.ts';

export interface DeliverMessages {
  readonly callDatabase: CallDatabase;
  readonly send: Send;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds, from any start. */
  readonly now?: () => number;
}

export interface Delivered {
  /** Messages that were sent. */
  sent: number;
  /** Messages that will not be tried again. */
  failed: number;
  /** Messages that will be tried again. */
  queued: number;
}

/** By kind of message; kinds without any are absent. */
export type DeliveredKinds = Partial<Record<MessageKind, Delivered>>;

/** Time after the start in which attempts begin. */
const TIME_MS = 20_000;

/**
 * Time after the start in which messages are taken: less, so that attempts of those begin in time. A message that was
 * taken and not tried waits for the end of its lease.
 */
const TAKE_TIME_MS = 15_000;

/** Deliveries in one call of `acquire_messages`; no more are taken while as many are unfinished. */
const MAX_DELIVERIES = 50;

/**
 * How long a taken message stays with this process: longer than `TIME_MS` and the longest attempt together. After that
 * another one takes it, also where this one was killed.
 */
const LEASE_SECONDS = 60;

/**
 * How often new messages are looked for while others are being sent, and so the longest time until a message that was
 * sent is marked: without its mark, a kill has it sent again.
 */
const LOOK_INTERVAL_MS = 500;

/**
 * Sends what is due, until nothing is or the time is over.
 * @throws the first error of `callDatabase`, once the attempts that run have ended
 */
export async function deliverMessages(here: DeliverMessages): Promise<DeliveredKinds> {
  const { callDatabase, send, wait = waitFor, now = () => performance.now() } = here;
  const started = now();
  const delivered: DeliveredKinds = {};
  const errors: unknown[] = [];
  /** The last attempt of each target that has any. */
  const targets = new Map<string, Promise<void>>();
  let unfinished = 0;
  /** Ids of messages that were sent and not marked. */
  let unmarked: number[] = [];
  const withMailConnection = limitParallel(MAX_CONNECTIONS);

  do {
    await markAndTake().catch((error: unknown) => void errors.push(error));
    await Promise.race([Promise.all(targets.values()), wait(LOOK_INTERVAL_MS)]);
  } while (targets.size > 0 || unmarked.length > 0);
  if (errors.length > 0) throw errors[0];
  return delivered;

  /** Nothing more is taken. */
  function isOver(): boolean {
    return errors.length > 0 || now() - started >= TAKE_TIME_MS;
  }

  async function markAndTake(): Promise<void> {
    const ids = unmarked;
    unmarked = [];
    if (isOver() || unfinished >= MAX_DELIVERIES) {
      if (ids.length > 0) await orOnceMore(() => callDatabase('mark_messages_sent', { ids }));
      return;
    }
    const args = { max: MAX_DELIVERIES, lease_seconds: LEASE_SECONDS, sent: ids };
    const take = () => callDatabase('acquire_messages', args);
    const { deliveries, unreadable } = readDeliveries(await (ids.length > 0 ? orOnceMore(take) : take()));
    for (const delivery of deliveries) enqueue(delivery);
    if (unreadable > 0) throw new TypeError('acquire_messages returned something else');
  }

  /** Sends it after those before it to the same target. */
  function enqueue(delivery: Delivery): void {
    const { target } = delivery;
    unfinished += 1;
    const last = (targets.get(target) ?? Promise.resolve())
      .then(() => (isMail(delivery) ? withMailConnection(() => attempt(delivery)) : attempt(delivery)))
      .catch((error: unknown) => void errors.push(error))
      .then(() => {
        unfinished -= 1;
        if (targets.get(target) === last) targets.delete(target);
      });
    targets.set(target, last);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { ids, kind } = delivery;
    delivered[kind] ??= { sent: 0, failed: 0, queued: 0 };
    const counts = delivered[kind];
    // Otherwise its lease ends, or its server fails, and it is due again.
    const isTried = now() - started < TIME_MS && (await callDatabase('begin_delivery', { ids }));
    if (!isTried) {
      counts.queued += ids.length;
      return;
    }
    const outcome = await send(delivery);
    if (outcome.status === 'sent') {
      unmarked.push(...ids);
      counts.sent += ids.length;
    } else {
      const { reason, permanent, addressRejected, failure } = outcome;
      await callDatabase('mark_messages_failed', {
        ids,
        reason,
        permanent,
        ...(addressRejected && { address_rejected: true }),
        ...(failure && { failure }),
      });
      counts[permanent ? 'failed' : 'queued'] += ids.length;
    }
  }
}

function isMail({ target }: Delivery): boolean {
  return emailOf(target) !== undefined;
}

/** For marks, since a message without its mark is sent again. */
function orOnceMore<T>(call: () => Promise<T>): Promise<T> {
  return call().catch(call);
}
