import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useRef } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { historyQuery } from '../stores/admin.ts';
import { negotiationQuery } from '../stores/negotiation-admin.ts';
import { Answer } from './Answer.tsx';
import { DealSteps, EndDeal, Overtaken } from './Deal.tsx';
import styles from './offer-history.css?inline';
import { Timeline } from './Timeline.tsx';
import { useStyles } from './use-styles.ts';
import { VisitsOf } from './Visits.tsx';
import { DealBox } from './WhereToPay.tsx';

/**
 * What is in an opened row, loaded with the first one.
 * @param id of its element
 */
export default function OfferHistory({ id: elementId, offer }: { id: string; offer: Offer }) {
  useStyles(styles);
  const { id } = offer;
  const box = useRef<HTMLElement>(null);
  const { data: negotiation, isPending: isReading } = useQuery(negotiationQuery(id));
  const { data: history, isPending, isError, refetch } = useQuery(historyQuery(id));
  const deal = negotiation?.deal;
  const agreed = negotiation?.status === 'accepted' && deal ? { offer, negotiation, deal } : undefined;
  const isRead = !isPending && !isReading;
  // The row that a link leads to has the focus. Opened it is higher, and may end below the window.
  useEffect(() => {
    const row = box.current?.closest('tr');
    if (isRead && row === document.activeElement) row?.scrollIntoView({ block: 'nearest' });
  }, [isRead]);

  return (
    <section
      ref={box}
      id={elementId}
      className={agreed ? 'history agreed' : 'history'}
      aria-label="History"
      aria-busy={isPending}
    >
      <Overtaken id={id} />
      {agreed && <DealSteps {...agreed} />}
      {agreed && <DealBox {...agreed} />}
      <div className="record">
        {history?.message && <OfferMessage text={history.message} />}
        {history?.confirmationRejected && (
          <p>
            Confirmation rejected: the address may be wrong. Response of the mail server:{' '}
            <bdi>{history.confirmationRejected}</bdi>
          </p>
        )}
        <Timeline offer={offer} negotiation={negotiation} changes={history?.changes ?? []} />
        <VisitsOf name={offer.domain_name} />
        <div aria-live="polite">
          {isPending && <p>Loading history...</p>}
          {isError && (
            <p className="failed">
              Failed to load the history.{' '}
              <button type="button" className="button quiet" onClick={() => refetch()}>
                Try again
              </button>
            </p>
          )}
        </div>
      </div>
      {agreed ? <EndDeal {...agreed} /> : <Answer offer={offer} />}
    </section>
  );
}

/**
 * The message that the customer added, with its lines, above the history. Each line is a `<bdi>` without direction marks, so
 * that none reorders its own text or that of another; a long one scrolls, by keyboard too.
 */
function OfferMessage({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields
    <div className="message long" role="group" aria-label="Message" tabIndex={0}>
      {withoutDirectionMarks(text)
        .split('\n')
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <Fragment key={index}>
            {index > 0 && '\n'}
            <bdi>{line}</bdi>
          </Fragment>
        ))}
    </div>
  );
}
