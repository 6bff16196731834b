/** What the owner's tools and `GET /health` read and change of messages. */
import type { PGlite } from '@electric-sql/pglite';
import { readRow } from './read-row.ts';

/** No field holds an email address or a URL. */
export interface MessageState {
  /**
   * Waiting, held back after a restore, given up, and sent so far. Given up are neither dismissed messages nor confirmations
   * whose address was rejected.
   */
  readonly queued: number;
  readonly paused: number;
  readonly failed: number;
  readonly sent: number;
  /** How long the oldest message that is not held back has been waiting, in seconds. */
  readonly waitSeconds: number;
  /** The server's response to the last failed try of a message that is not sent; null where there is none. */
  readonly reason: string | null;
}

export async function readMessageState(sql: PGlite): Promise<MessageState> {
  return await readRow(
    sql,
    `
    with unsent as (
      select m.failed_at is null as queued, m.created_at < s.paused_before as paused, m.created_at, m.reason, m.reason_at, m.digest, m.address_rejected
      from private.messages m, private.message_state s
      where m.sent_at is null and m.dismissed_at is null
    )
    select
      count(*) filter (where queued and paused is not true)::integer as queued,
      count(*) filter (where queued and paused)::integer as paused,
      count(*) filter (where not queued and not address_rejected)::integer as failed,
      (select s.sent::integer from private.message_state s) as sent,
      coalesce(extract(epoch from now() - min(created_at) filter (where queued and paused is not true and not digest and not address_rejected)), 0)::integer as "waitSeconds",
      (array_agg(reason order by reason_at desc) filter (where reason is not null and not address_rejected))[1] as reason
    from unsent`,
  );
}

/**
 * Holds back the messages of a restored backup, which may have been sent since it was made.
 * @returns the number of messages that are held back; 0 also for older backups, which have no messages
 */
export async function pauseMessages(sql: PGlite): Promise<number> {
  const { rows } = await sql.query(`select where to_regprocedure('public.pause_messages()') is not null`);
  if (rows.length === 0) return 0;
  await sql.exec('select public.pause_messages()');
  return (await readMessageState(sql)).paused;
}

/** Messages that wait longer than this are reported by `GET /health`. */
const MAX_WAIT_SECONDS = 600;

/** For `GET /health`: true, or what does not work. */
export function messageHealth({ failed, waitSeconds, reason }: MessageState): true | string {
  const why = reason === null ? '' : ` The last response was: ${reason}`;
  if (failed > 0) return `${failed === 1 ? '1 message was' : `${failed} messages were`} not sent.${why}`;
  if (waitSeconds > MAX_WAIT_SECONDS) {
    return `A message has been waiting for ${Math.floor(waitSeconds / 60)} minutes.${why}`;
  }
  return true;
}
