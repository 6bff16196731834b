import { useEffect, useRef } from 'react';
import type { FormMessages } from '../i18n/messages.ts';

/** Replaces the form after a success and takes the focus, since the button that had it is gone. */
export function OfferSubmitted({ domain, messages }: { domain: string; messages: FormMessages }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => message.current?.focus(), []);

  return (
    <div ref={message} className="submitted" role="status" tabIndex={-1}>
      <p className="for">{domain}</p>
      <h2>{messages.submitted}</h2>
      <p>{messages.promise}</p>
    </div>
  );
}
