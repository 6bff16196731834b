/** How the messages about offers stand, as the dashboard shows it. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Returned } from '#contract/calls.ts';
import { describeProblem } from '#contract/server-problem.ts';
import type { Call } from '../api/call.ts';
import { POLL, type SessionCache } from './session-cache.ts';

export type MessageStatus = Returned<'message_status'>;

export type Messages =
  /** No message is configured. */
  | { status: 'off' }
  | { status: 'sent' }
  | { status: 'sending'; queued: number }
  | {
      status: 'failing';
      /** Messages that are not sent. */
      unsent: number;
      /** Servers that take no message, with what waits for them. */
      problems: readonly string[];
      /** The server's own last reason; undefined where it gave none. */
      reason: string | undefined;
      targetKind: 'mail' | 'webhook';
      /** Undefined where the message is not tried again by itself. */
      retryAt: string | undefined;
      /** Those that are not tried again by themselves. */
      failures: readonly FailedDelivery[];
    }
  /** Messages from before a backup was restored. */
  | { status: 'paused'; paused: number };

export type FailedDelivery = NonNullable<MessageStatus['failures']>[number];

export function createMessages(call: Call, { client }: SessionCache) {
  const messagesQuery = queryOptions({
    ...POLL,
    queryKey: ['messages'],
    // What first-rows.ts has read is shown.
    refetchOnMount: false,
    queryFn: ({ signal }) => call('message_status', {}, signal),
  });

  const readAgain = () => client.invalidateQueries(messagesQuery);

  return {
    messagesQuery,

    /** Makes what is not sent yet due: the server's scheduler sends it. */
    retryMessages: mutationOptions({
      meta: { failure: 'Failed to retry messages' },
      mutationFn: () => call('retry_messages', {}),
      onSuccess: () => void readAgain(),
    }),

    /** Takes a failure from the banner. It stays there where the call fails. */
    dismissMessage: mutationOptions({
      meta: { failure: 'Failed to dismiss a message' },
      mutationFn: (id: number) => call('dismiss_message', { id }),
      onSuccess: () => void readAgain(),
    }),
  };
}

/** The most urgent state first. */
export function messagesOf(status: MessageStatus): Messages {
  const { mail, webhooks, queued, failed, paused, last_failure, failures, problems } = status;
  if (mail + webhooks === 0) return { status: 'off' };
  if (last_failure || failed > 0 || problems?.length) {
    return {
      status: 'failing',
      unsent: queued + failed,
      problems: problems?.map(describeProblem) ?? [],
      reason: last_failure?.reason || undefined,
      targetKind: last_failure?.target_kind ?? 'mail',
      retryAt: last_failure?.retry_at ?? undefined,
      failures: failures ?? [],
    };
  }
  if (paused > 0) return { status: 'paused', paused };
  if (queued > 0) return { status: 'sending', queued };
  return { status: 'sent' };
}
