import { useStore } from '@nanostores/react';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import type { Returned } from '#contract/calls.ts';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { $now, clearUpdateError } from '../stores/admin.ts';
import type { ListedOffer } from '../stores/earlier-offers.ts';
import { amountLine, isFullPrice } from './amount-line.ts';
import { DismissButton } from './DismissButton.tsx';
import { DomainName } from './DomainName.tsx';
import { EarlierOffers } from './EarlierOffers.tsx';
import { EmailCell } from './EmailCell.tsx';
import { formatDate } from './format-date.ts';
import { Icon } from './Icon.tsx';
import { LinkMark } from './LinkMark.tsx';
import { useAskingPrice, useListing } from './listings.ts';
import { NewMark } from './NewMark.tsx';
import { OfferMenu } from './OfferMenu.tsx';
import { OpenButton, OpenedOffer } from './OpenOffer.tsx';
import { StatusSelect } from './StatusSelect.tsx';
import { CurrentAmount, TimeLeft, useOffered } from './TimeLeft.tsx';
import { agoOf } from './time-left.ts';
import './marks.css';
import './status.css';

interface Column {
  /** Also what the style sheet calls its cells. */
  title: string;
  /** In fractions of what the columns with a length leave, at widths that have room for columns. */
  width: string;
  Cell: (row: ListedOffer & { chosen: OfferStatus | undefined; error: string | undefined }) => ReactNode;
}

export const COLUMNS: readonly Column[] = [
  {
    title: 'Domain',
    width: '10fr',
    Cell: ({ offer }) => (
      <>
        <NewMark offer={offer} />
        <LinkMark id={offer.id} />
        <DomainName name={offer.domain_name} />
        <StateMark domain={offer.domain_name} />
      </>
    ),
  },
  {
    title: 'Offer',
    width: '13fr',
    Cell: ({ offer }) => (
      <>
        <VisitorText title="Offer" text={offer.offer_amount} />
        <CurrentAmount offer={offer} />
        <AmountMarks offer={offer} />
        <AmountLine offer={offer} />
        {import.meta.env.OFFER_MESSAGE && <MessageLine id={offer.id} />}
      </>
    ),
  },
  {
    title: 'Customer',
    width: '8fr',
    Cell: ({ offer, group, earlier }) => (
      <>
        <VisitorText title="Customer" text={offer.customer_name} />
        {group && earlier > 0 && <EarlierOffers {...{ offer, group, earlier }} />}
      </>
    ),
  },
  { title: 'Email', width: '12fr', Cell: EmailCell },
  { title: 'Date', width: '11.75rem', Cell: ({ offer }) => <DateTime at={offer.created_at} /> },
  {
    title: 'Status',
    width: '10.75rem',
    // As stored; grey where it is none of the four.
    Cell: ({ offer }) => (
      <span className="status" data-status={offer.status}>
        <span className="badge">{offer.status}</span>
        <TimeLeft offer={offer} />
      </span>
    ),
  },
  {
    title: 'Actions',
    width: '10.25rem',
    Cell: ({ offer, chosen, error }) => (
      <>
        <span className="actions">
          <StatusSelect offer={offer} chosen={chosen} />
          <OpenButton offer={offer} />
          <OfferMenu offer={offer} />
        </span>
        <UpdateError id={offer.id} message={error} />
        <OpenedOffer offer={offer} />
      </>
    ),
  },
];

const STATE_TEXTS: ReadonlyMap<string | undefined, string> = new Map([
  ['sold', 'Sold'],
  ['reserved', 'Reserved'],
]);

/** Marks a domain that takes no offers any more. */
function StateMark({ domain }: { domain: string }) {
  const listing = useListing(domain);
  const text = listing === null ? 'Not in the catalogue' : STATE_TEXTS.get(listing?.state);
  if (text === undefined) return null;
  return (
    <>
      {' '}
      <span className="state-mark">{text}</span>
    </>
  );
}

interface VisitorTextProps {
  /** The title of its column, as accessible label. */
  title: string;
  text: string;
}

/**
 * A text written by a visitor, in `<bdi>` and without direction marks, so that it reorders neither the text beside it nor
 * its own amount. A long text scrolls within a few
 * lines, by keyboard too, so that it does not push other offers off the screen.
 */
function VisitorText({ title, text: typed }: VisitorTextProps) {
  const text = withoutDirectionMarks(typed);
  if (text.length <= SHORT_TEXT_LENGTH) return <bdi>{text}</bdi>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields
    <bdi className="long" role="group" aria-label={title} tabIndex={0}>
      {text}
    </bdi>
  );
}

/** In UTF-16 units; up to it, even wide letters in a narrow column need little more than the lines of a row. */
const SHORT_TEXT_LENGTH = 80;

/**
 * The day and the time of day, in two lines where there is no room for one, and how long ago, which is no text of the cell: there
 * the date stands alone.
 * @param at as the data API wrote it
 */
function DateTime({ at }: { at: string }) {
  const [day = '', time] = formatDate(at).split(/(?<=\d{4},) /);
  return (
    <time dateTime={at} data-ago={agoOf(at, useStore($now))}>
      <span>{day}</span> <span>{time}</span>
    </time>
  );
}

/** What the amount that counts was read as, and its share of the owner's price. Nothing while they are unknown. */
function AmountLine({ offer }: { offer: Offer }) {
  const line = amountLine(useOffered(offer), useAskingPrice(offer.domain_name));
  if (!line) return null;
  return (
    <>
      {' '}
      <small key={line} className="asking">
        {line}
      </small>
    </>
  );
}

/** Marks an offer of the whole price, one below the minimum of its domain, and one that is held for review. */
function AmountMarks({ offer }: { offer: Offer }) {
  const isFull = isFullPrice(useOffered(offer), useAskingPrice(offer.domain_name));
  const { low, held } = offer;
  return (
    <>
      {isFull && <Mark className="full-mark">Full price</Mark>}
      {low && <Mark className="low-mark">Low</Mark>}
      {held && <Mark className="low-mark">Held</Mark>}
    </>
  );
}

function Mark({ className, children }: { className: string; children: string }) {
  return (
    <>
      {' '}
      <span className={className}>{children}</span>
    </>
  );
}

/** The first lines of the messages in the list, as far as they are known. */
export const ShownMessageLines = createContext<Returned<'message_lines'>>({});

/** The first line of the message that the customer added. Nothing where there is none, or while it is not known. */
function MessageLine({ id }: { id: string }) {
  const { [id]: line } = useContext(ShownMessageLines);
  if (line === undefined) return null;
  return (
    <span className="message-line">
      <Icon name="message" />
      <bdi>{withoutDirectionMarks(line)}</bdi>
    </span>
  );
}

/** The error of saving an offer's status, in its row. */
function UpdateError({ id, message }: { id: string; message: string | undefined }) {
  return message === undefined ? null : <ErrorInRow id={id} message={message} />;
}

function ErrorInRow({ id, message }: { id: string; message: string }) {
  const box = useRef<HTMLDivElement>(null);
  // It makes its row higher, so its end may be below the screen's.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  function dismiss() {
    // Otherwise the focus would be lost with the button.
    box.current?.closest('td')?.querySelector('select')?.focus();
    clearUpdateError(id);
  }

  return (
    <div ref={box} className="error row-error">
      <p role="alert">{message}</p>
      <DismissButton what="error" onClick={dismiss} />
    </div>
  );
}
