import { useStore } from '@nanostores/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { MAX_NOTE } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { standingsQuery } from '../stores/admin.ts';
import { declineOthers } from '../stores/decline-admin.ts';
import { type Decline, UNDO_MS } from '../stores/decline-others.ts';
import { changedAmount } from '../stores/standings.ts';
import { amountLine } from './amount-line.ts';
import styles from './decline-others.css?inline';
import { useAskingPrice } from './listings.ts';
import { MailPreview } from './MailPreview.tsx';
import { PageLink } from './PageLink.tsx';
import { useShownName } from './shown-names.ts';
import { countOf, formatNumber } from './use-counts.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useSettled } from './use-settled.ts';
import { useStyles } from './use-styles.ts';

/** Lists the other open offers for a name, and offers to decline them. Nothing where there are none. */
export default function DeclineOthers({ name }: { name: string }) {
  useStyles(styles);
  const decline = useStore(declineOthers.$declines)[name];
  const { data: offers = NONE } = useQuery(declineOthers.openOffersQuery(name));
  const [isOpen, setOpen] = useState(false);
  // Others may have been made since.
  const isDone = decline?.status === 'done' && decline.failed.length === 0;
  const isUnderWay = decline && !(isDone && offers.length > 0);
  if (!isUnderWay && offers.length === 0) return null;
  const count = offers.length === 1 ? 'other offer' : `${offers.length} other offers`;
  const what = `Decline the ${count}`;
  const title = offers.length === 1 ? '1 other offer is open' : `${count} are open`;
  return (
    <section className="decline-others" aria-label="Other offers" tabIndex={-1}>
      {isUnderWay ? (
        <Progress name={name} decline={decline} />
      ) : (
        <>
          <h3>
            <span key={title}>{title}</span>
          </h3>
          <OpenOffers name={name} offers={isOpen ? offers : offers.slice(0, SHOWN)} />
          {!isOpen && offers.length > SHOWN && <p>{`and ${formatNumber(offers.length - SHOWN)} more`}</p>}
          <button
            type="button"
            className="button quiet"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <span key={what}>{what}</span>
          </button>
          {isOpen && <Form name={name} offers={offers} />}
        </>
      )}
    </section>
  );
}

const NONE: readonly Offer[] = [];

/** Offers that are listed before the button is pressed, which lists all. */
const SHOWN = 5;

/** Each leads to its row, with the amount that counts and its share of the price. */
function OpenOffers({ name, offers }: { name: string; offers: readonly Offer[] }) {
  const { data: standings } = useQuery(standingsQuery(offers));
  const asking = useAskingPrice(name);
  return (
    <ul>
      {offers.map((offer) => {
        const changed = changedAmount(offer, standings?.[offer.id]);
        const stored = changed ?? { ...offer, amount: offer.offer_amount };
        const line = asking && amountLine(stored, asking);
        return (
          <li key={offer.id}>
            <PageLink page="offers" fragment={`#offer=${offer.id}`}>
              <bdi>{withoutDirectionMarks(offer.customer_name)}</bdi>
            </PageLink>
            {line && <small key={line}>{line}</small>}
            <b>
              <bdi>{withoutDirectionMarks(stored.amount)}</bdi>
            </b>
          </li>
        );
      })}
    </ul>
  );
}

function Form({ name, offers }: { name: string; offers: readonly Offer[] }) {
  const id = useId();
  const note = useStore(declineOthers.$notes)[name] ?? '';
  const settled = useSettled(note);
  const { data: mail } = useQuery({
    ...declineOthers.declinePreviewQuery(offers[0]?.id ?? '', settled),
    placeholderData: keepPreviousData,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        declineOthers.declineAll(name, offers);
      }}
    >
      <label className="line" htmlFor={id}>
        <b>Note to all (optional)</b> <small>at most {MAX_NOTE.toLocaleString('en-US')} characters</small>
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        maxLength={MAX_NOTE}
        value={note}
        onChange={({ target }) => declineOthers.writeNote(name, target.value)}
      />
      {mail !== null && <MailPreview mail={mail} otherwise="Loading..." />}
      <p>
        {mail === null
          ? 'No mail is sent: each buyer reads it on the page of their link.'
          : `Each of them gets this mail. You can undo it for ${UNDO_MS / 1_000} seconds.`}
      </p>
      <button type="submit" className="button quiet danger">
        {`Decline ${countOf(offers.length)}`}
      </button>
    </form>
  );
}

function Progress({ name, decline }: { name: string; decline: Decline }) {
  return (
    <>
      <div role="status">
        {decline.status === 'waiting' && <Waiting {...decline} domain={name} />}
        {decline.status === 'sending' && (
          <p key={decline.done}>
            Declining {decline.done + 1} of {decline.offers.length}…
          </p>
        )}
        {decline.status === 'done' && <p>{countOf(decline.declined)} declined.</p>}
      </div>
      {decline.status === 'done' && decline.failed.length > 0 && (
        <div role="alert" className="failed">
          {decline.failed.map(({ offer, message }) => (
            <p key={offer.id}>
              <bdi>{withoutDirectionMarks(offer.customer_name)}</bdi>: {message}
            </p>
          ))}
        </div>
      )}
      {decline.status === 'done' && decline.failed.length > 0 && (
        <button
          type="button"
          className="button quiet"
          onClick={() =>
            declineOthers.declineAll(
              name,
              decline.failed.map(({ offer }) => offer),
            )
          }
        >
          Try again
        </button>
      )}
    </>
  );
}

function Waiting({ domain, offers, until }: Extract<Decline, { status: 'waiting' }> & { domain: string }) {
  const shown = useShownName(domain);
  const left = useSecondsLeft(until);
  const box = useRef<HTMLDivElement>(null);
  useFocusBack(box, (removed) => removed.closest('section'));
  return (
    <div ref={box} className="waiting-decline">
      <p>
        {countOf(offers.length)} for {shown} will be declined. Keep this page open.
      </p>
      <button
        // biome-ignore lint/a11y/noAutofocus: takes the focus of the button that it replaces
        autoFocus
        type="button"
        className="button quiet"
        onClick={() => declineOthers.undoDecline(domain)}
      >
        Undo
      </button>
      <span aria-hidden="true" key={left}>{`${left} s`}</span>
    </div>
  );
}

function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1_000));
}
