import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { FormMessages, Messages } from '../i18n/messages.ts';
import type { Failure } from '../stores/offer.ts';
import { failureMessage } from './failure-message.ts';

interface Props {
  failure: Failure;
  messages: FormMessages;
  /** By code; undefined where the page is in the functions' own language. */
  rejections: Messages['rejections'] | undefined;
}

/**
 * Error message of a rejected offer, translated where the code is known. Moves the focus to the field in question or to
 * the message, because the button that had it is disabled until the next bot check is done.
 */
export function OfferFailure({ failure, messages, rejections }: Props) {
  const message = useRef<HTMLParagraphElement>(null);
  const offline = useOffline();
  useEffect(() => {
    const field = document.getElementsByName(failure.field ?? '')[0];
    (field ?? message.current ?? document.getElementById('offline'))?.focus();
  }, [failure]);
  if (offline && failure.reason === 'unexpected') return null;

  return (
    <p ref={message} id="offer-failure" className="error" role="alert" tabIndex={-1}>
      {failure.reason === 'unsupported' ? (
        <UnsupportedBrowser {...messages} />
      ) : (
        (failure.reason === 'rejected' && failureMessage(failure, messages.labels, rejections)) ||
        messages.failures[failure.reason]
      )}
    </p>
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
