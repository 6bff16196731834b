import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import type { FormMessages, Messages } from '../i18n/messages.ts';
import type { Failure } from '../stores/offer.ts';
import { failureMessage } from './failure-message.ts';

interface Props {
  failure: Failure;
  messages: FormMessages;
  /** By code; undefined where the page is in the functions' own language. */
  rejections: Messages['rejections'] | undefined;
  /** When it is tried again. */
  retryAt: number | undefined;
  /** Of a repetition, or edited since the press: the visitor may be typing elsewhere. */
  isElsewhere: boolean;
}

/**
 * Error message of a rejected offer, translated where the code is known. Moves the focus to the field in question, to the
 * cards where none is selected, or to the message, because the button that had it is disabled until the next bot check is done.
 */
export function OfferFailure({ failure, messages, rejections, retryAt, isElsewhere }: Props) {
  const message = useRef<HTMLElement>(null);
  const offline = useOffline();
  // Once for each failure: an edit after it ends the repetitions.
  const takeFocus = useEffectEvent(() => {
    if (isElsewhere) return;
    const cards = failure.reason === 'no-domain' ? [...document.querySelectorAll('.cards input')] : [];
    const card = cards.find((one) => one.getClientRects().length > 0) as HTMLElement | undefined;
    const field = document.getElementsByName(failure.field ?? '')[0];
    // With their title, which stands above them.
    card?.closest('.cards')?.scrollIntoView();
    card?.focus({ preventScroll: true });
    if (!card) (field ?? message.current ?? document.getElementById('offline'))?.focus();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each failure
  useEffect(() => takeFocus(), [failure]);
  if (offline && failure.reason === 'unexpected') return null;

  return (
    <p className="error">
      <span ref={message} id="offer-failure" className={failure.reason} role="alert" tabIndex={-1}>
        {failure.reason === 'unsupported' ? (
          <UnsupportedBrowser {...messages} />
        ) : (
          (failure.reason === 'rejected' && failureMessage(failure, messages.labels, rejections)) ||
          messages.failures[failure.reason]
        )}
      </span>
      <Retry key={retryAt} at={retryAt} messages={messages} />
    </p>
  );
}

const SECOND_MS = 1_000;

/** The second sentence of a message: when what failed is tried again. It is announced once, and not each second. */
export function Retry({ at, messages }: { at: number | undefined; messages: FormMessages }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === undefined) return null;
  const seconds = Math.ceil((at - now) / SECOND_MS);
  return (
    <span role="status">
      {' '}
      {/* As a whole on a line, where it fits. */}
      <span key={seconds} role="timer" style={{ display: 'inline-block' }}>
        {seconds > 0 ? interpolate(messages.retry.in, { seconds }) : messages.retry.now}
      </span>
    </span>
  );
}

/** Text of an error message: this browser cannot make an offer, and how to reach the owner. */
export function UnsupportedBrowser({ unsupported, contact }: FormMessages) {
  return (
    <>
      {unsupported.text}
      {contact && (
        <>
          {' '}
          {unsupported.write}{' '}
          <a href={contact.url} lang={contact.lang}>
            {contact.text}
          </a>
        </>
      )}
    </>
  );
}

/** Whether the browser is offline: then the notice of components/Notices.astro replaces messages that blame the page. */
export function useOffline(): boolean {
  return useSyncExternalStore(
    listen,
    () => !navigator.onLine,
    () => false,
  );
}

function listen(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
