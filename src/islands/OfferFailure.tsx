import { useEffect, useRef } from 'react';
import type { FormMessages, Messages } from '../i18n/messages.ts';
import type { Failure } from '../stores/offer.ts';
import { failureMessage } from './failure-message.ts';
import { UnsupportedBrowser } from './UnsupportedBrowser.tsx';
import { useOffline } from './use-offline.ts';

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
