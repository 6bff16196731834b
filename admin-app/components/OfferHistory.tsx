import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { $now, $open, historyQuery, negotiationQuery, toggleHistory } from '../stores/admin.ts';
import { Answer } from './Answer.tsx';
import { DealSteps, EndDeal, Overtaken } from './Deal.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { formatDate } from './format-date.ts';
import { useShownName } from './shown-names.ts';
import { useWaitsForOwner } from './TimeLeft.tsx';
import { Timeline } from './Timeline.tsx';
import { agoOf } from './time-left.ts';
import { VisitsOf } from './Visits.tsx';
import { DealBox } from './WhereToPay.tsx';
import './offer-history.css';

/** Opens and closes the row of an offer, in the cell of its status. A click on the row does the same. */
export function OpenButton({ offer }: { offer: Offer }) {
  const { id, customer_name, domain_name } = offer;
  const isOpen = useStore($open).has(id);
  const domain = useShownName(domain_name);
  const waits = useWaitsForOwner(offer);
  const word = waits ? 'Answer' : 'Open';
  return (
    <button
      type="button"
      className="open"
      data-waits={waits || undefined}
      aria-label={`${word} the offer of ${withoutDirectionMarks(customer_name)} for ${domain}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? idOf(id) : undefined}
      onClick={() => toggleHistory(id)}
    >
      <span key={word}>{word}</span>
    </button>
  );
}

/** The opened history, in the last cell of its row, so that the row is measured with it. */
export function OfferHistory({ offer }: { offer: Offer }) {
  if (!useStore($open).has(offer.id)) return null;
  return (
    <ErrorBoundary
      what="the history and the answer"
      frame={(message) => (
        <section id={idOf(offer.id)} className="history" aria-label="History">
          {message}
        </section>
      )}
    >
      <Opened offer={offer} />
    </ErrorBoundary>
  );
}

function Opened({ offer }: { offer: Offer }) {
  const { id } = offer;
  const { data: negotiation } = useQuery(negotiationQuery(id));
  const { data: history, isPending, isError, refetch } = useQuery(historyQuery(id));
  const deal = negotiation?.deal;
  const agreed = negotiation?.status === 'accepted' && deal ? { offer, negotiation, deal } : undefined;
  return (
    <section
      id={idOf(id)}
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

function idOf(offer: string): string {
  return `history-${offer}`;
}

/**
 * The day and the time of day, in two lines where there is no room for one, and how long ago, which is no text of the cell: there
 * the date stands alone.
 * @param at as the data API wrote it
 */
export function DateTime({ at }: { at: string }) {
  const [day = '', time] = formatDate(at).split(/(?<=\d{4},) /);
  return (
    <time dateTime={at} data-ago={agoOf(at, useStore($now))}>
      <span>{day}</span> <span>{time}</span>
    </time>
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
