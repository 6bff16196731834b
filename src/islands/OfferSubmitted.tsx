import { useEffect, useRef } from 'react';
import { texts } from '../texts.ts';

/** Takes the form's place, and the focus with it: the button that had it is gone. */
export function OfferSubmitted({ domain }: { domain: string }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => message.current?.focus(), []);

  return (
    <div ref={message} className="submitted" role="status" tabIndex={-1}>
      <p className="for">{domain}</p>
      <h2>{texts.form.submitted}</h2>
      <p>{texts.form.promise}</p>
    </div>
  );
}
