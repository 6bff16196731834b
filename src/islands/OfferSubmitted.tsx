import { useEffect, useRef } from 'react';
import type { FormTexts } from '../i18n/messages.ts';

/** Replaces the form after a success and takes the focus, since the button that had it is gone. */
export function OfferSubmitted({ domain, texts }: { domain: string; texts: FormTexts }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => message.current?.focus(), []);

  return (
    <div ref={message} className="submitted" role="status" tabIndex={-1}>
      <p className="for">{domain}</p>
      <h2>{texts.submitted}</h2>
      <p>{texts.promise}</p>
    </div>
  );
}
