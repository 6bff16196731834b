import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { deadlineText, TIME } from '../i18n/deadline-text.ts';
import type { FormMessages, IslandMessages } from '../i18n/messages.ts';
import { type OfferState, startOver } from '../stores/offer.ts';
import lowOfferStyles from '../styles/low-offer.css?inline';
import receiptStyles from '../styles/receipt.css?inline';
import { useStyles } from './use-styles.ts';

interface Props {
  submitted: Extract<OfferState, { status: 'submitted' }>;
  /** Whether the visitor went on while it was sent. */
  isLeft: boolean;
  messages: FormMessages;
  steps: IslandMessages['steps'];
  language: string;
  replyHours: number;
}

/**
 * What happens now, and the receipt. Replaces the form after a success and takes the focus, since the button that had it is
 * gone. After a low offer it stands above the form, whose amount takes the focus.
 */
export function OfferSubmitted({ submitted, isLeft, messages, steps, language, replyHours }: Props) {
  const message = useRef<HTMLDivElement>(null);
  const [now] = useState(() => new Date());
  useStyles(import.meta.env.LOW_OFFERS ? receiptStyles + lowOfferStyles : receiptStyles);
  const { domain, offer } = submitted;
  const isLow = import.meta.env.LOW_OFFERS && submitted.low === true;
  const takeFocus = useEffectEvent(() => {
    const { activeElement: at, body } = document;
    // In the search or at another card, say; the form is hidden but for a low offer.
    if (isLeft && at !== body && (isLow || !at?.closest('#offer'))) return;
    (isLow ? document.getElementById('offer-amount') : message.current)?.focus();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an offer that is not low any more
  useEffect(() => takeFocus(), [isLow]);
  const { labels, receipt } = messages;
  const { escrow, transfer } = steps;
  const later = escrow
    ? [{ title: escrow.title, text: receipt.agreed }, transfer]
    : [{ title: transfer.title, text: receipt.agreed }];

  return (
    <div ref={message} className={isLow ? 'submitted low' : 'submitted'} role="status" tabIndex={-1}>
      <h2>{messages.submitted}</h2>
      <p className="promise">{isLow ? messages.low : messages.promise}</p>
      {!isLow && <p className="close">{receipt.close}</p>}
      {!isLow && (
        <section className="steps" aria-labelledby="now-title">
          <h3 id="now-title">{receipt.now}</h3>
          <ol>
            <li className="done">
              <b>{receipt.arrived}</b>
              <span>
                {now.toLocaleString(language, { year: 'numeric', month: 'short', day: 'numeric', ...TIME })}
              </span>
            </li>
            <li className="present" aria-current="step">
              <b>{receipt.reply}</b>
              <strong>{interpolate(receipt.by, { time: deadlineText(now, replyHours, language) })}</strong>
              <span>{receipt.spam}</span>
            </li>
            {later.map(({ title, text }) => (
              <li key={title}>
                <b>{title}</b>
                <span>{text}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <dl>
        {(isLow
          ? [
              [labels.offer_amount, offer.offer_amount],
              [receipt.asking, document.querySelector<HTMLElement>('.cards input:checked')?.dataset.price],
            ]
          : [
              [labels.offer_amount, offer.offer_amount],
              [receipt.domain, domain],
              [labels.customer_name, offer.customer_name],
              [receipt.email, offer.customer_email],
              [labels.message, import.meta.env.OFFER_MESSAGE ? offer.message?.trim() : ''],
            ]
        )
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label} className={label === labels.message ? 'message' : undefined}>
              <dt>{label}</dt>
              <dd translate="no">{value}</dd>
            </div>
          ))}
      </dl>
      {!isLow && (
        <p className="again">
          {receipt.mistyped}{' '}
          <button type="button" onClick={makeAnother}>
            {receipt.another}
          </button>
        </p>
      )}
    </div>
  );
}

function makeAnother(): void {
  startOver();
  // Once the form is visible again.
  setTimeout(() => document.getElementById('offer-amount')?.focus());
}
