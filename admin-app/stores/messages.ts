/** How the messages about offers stand, as the dashboard shows it. */
import { atom } from 'nanostores';
import type { MessageStatus, MessageStatusApi } from '../api/message-status.ts';

export type Messages =
  | { status: 'checking' }
  /** Nothing is shown: the server has no messages, or could not be reached. */
  | { status: 'unknown' }
  /** No message is configured. */
  | { status: 'off' }
  | { status: 'sent'; lastSentAt: string | undefined }
  | { status: 'sending'; queued: number }
  | {
      status: 'failing';
      /** Messages that are not sent. */
      unsent: number;
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

/** `idle`; `retrying` while the call is in flight; `failed` where it failed; else `queued` until the scheduler tries them. */
export type Retry = 'idle' | 'retrying' | 'failed' | 'queued';

export function createMessages(api: MessageStatusApi, onChanged: () => void = () => {}) {
  const $messages = atom<Messages>({ status: 'checking' });
  const $retry = atom<Retry>('idle');
  /** Offers whose confirmation was rejected because of the customer's address. */
  const $rejectedConfirmations = atom<ReadonlySet<string>>(new Set());
  let isAvailable = true;
  /** Incremented on sign-out, so that late responses of the previous session are dropped. */
  let signOuts = 0;

  /** Fetches the status. Does nothing where the server has no such function. */
  async function checkMessages(signal: AbortSignal): Promise<void> {
    if (!isAvailable) return;
    try {
      const response = await api.readMessageStatus(signal);
      if (signal.aborted) return;
      isAvailable = response !== 'unavailable';
      if (response === 'unavailable') return show({ status: 'unknown' });
      showRejected(response.rejected_confirmations ?? []);
      show(messagesOf(response));
    } catch (error) {
      // What was last known stays.
      if (!signal.aborted && $messages.get().status === 'checking') show({ status: 'unknown' });
      throw error;
    }
  }

  /** Makes what is not sent yet due: the server's scheduler sends it. */
  async function retryMessages(): Promise<void> {
    if ($retry.get() === 'retrying') return;
    const mine = signOuts;
    $retry.set('retrying');
    try {
      const retried = await api.retryMessages();
      if (mine !== signOuts) return;
      $retry.set(retried === 'unavailable' ? 'failed' : 'queued');
      onChanged();
    } catch (error) {
      console.error('Failed to retry messages', error);
      if (mine === signOuts) $retry.set('failed');
    }
  }

  /** Takes a failure from the banner. It stays there where the call fails. */
  async function dismissMessage(id: number): Promise<void> {
    try {
      await api.dismissMessage(id);
      onChanged();
    } catch (error) {
      console.error('Failed to dismiss a message', error);
    }
  }

  function showRejected(offers: readonly string[]): void {
    const shown = $rejectedConfirmations.get();
    if (offers.length === shown.size && offers.every((id) => shown.has(id))) return;
    $rejectedConfirmations.set(new Set(offers));
  }

  function show(next: Messages): void {
    if (JSON.stringify(next) !== JSON.stringify($messages.get())) $messages.set(next);
    if (next.status !== ($retry.get() === 'queued' ? 'sending' : 'failing')) $retry.set('idle');
  }

  /** Clears everything on sign-out. */
  function forgetMessages(): void {
    signOuts += 1;
    isAvailable = true;
    $messages.set({ status: 'checking' });
    $retry.set('idle');
    $rejectedConfirmations.set(new Set());
  }

  return {
    $messages,
    $retry,
    $rejectedConfirmations,
    checkMessages,
    retryMessages,
    dismissMessage,
    forgetMessages,
  };
}

/** The most urgent state first. */
function messagesOf(status: MessageStatus): Messages {
  const { mail, webhooks, queued, failed, paused, last_failure, failures, last_sent_at } = status;
  if (mail + webhooks === 0) return { status: 'off' };
  if (last_failure || failed > 0) {
    return {
      status: 'failing',
      unsent: queued + failed,
      reason: last_failure?.reason || undefined,
      targetKind: last_failure?.target_kind ?? 'mail',
      retryAt: last_failure?.retry_at ?? undefined,
      failures: failures ?? [],
    };
  }
  if (paused > 0) return { status: 'paused', paused };
  if (queued > 0) return { status: 'sending', queued };
  return { status: 'sent', lastSentAt: last_sent_at ?? undefined };
}
