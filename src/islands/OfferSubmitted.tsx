import { useEffect, useRef, useState } from 'react';
import type { FormMessages } from '../i18n/messages.ts';
import { type OfferState, startOver } from '../stores/offer.ts';

interface Props {
  submitted: Extract<OfferState, { status: 'submitted' }>;
  messages: FormMessages;
  language: string;
}

/** The receipt. Replaces the form after a success and takes the focus, since the button that had it is gone. */
export function OfferSubmitted({ submitted: { domain, offer }, messages, language }: Props) {
  const message = useRef<HTMLDivElement>(null);
  const [now] = useState(() =>
    new Date().toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }),
  );
  useEffect(() => message.current?.focus(), []);
  const { labels, receipt } = messages;

  return (
    <div ref={message} className="submitted" role="status" tabIndex={-1}>
      <h2>{messages.submitted}</h2>
      <p className="for">{messages.promise}</p>
      <div className="cells">
        <dl>
          {[
            [labels.offer_amount, offer.offer_amount, receipt.notes.offer],
            [receipt.domain, domain, now],
            [receipt.email, offer.customer_email, receipt.notes.email],
          ].map(([label, value, note]) => (
            <div key={label} className="field">
              <dt>{label}</dt>
              <dd>{value}</dd>
              <dd className="check">{note}</dd>
            </div>
          ))}
        </dl>
        <div className="action">
          <button
            className="button quiet"
            type="button"
            onClick={() => {
              startOver();
              // Once the form is visible again.
              setTimeout(() => document.getElementById('offer-amount')?.focus());
            }}
          >
            {receipt.another}
          </button>
        </div>
      </div>
    </div>
  );
}
