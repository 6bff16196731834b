import { useStore } from '@nanostores/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useContext, useRef } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { MAX_NOTE, type Move, type Negotiation, VALID_DAYS } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { priceIn } from '#contract/shown-amount.ts';
import { $now, polledListingQuery } from '../stores/admin.ts';
import { type Draft, errorOf, NEW_DRAFT } from '../stores/negotiation.ts';
import { $drafts, negotiate, negotiationQuery, writeDraft } from '../stores/negotiation-admin.ts';
import { BuyerLink } from './BuyerLink.tsx';
import { currencyIn, distanceOf, isUntyped, lacksCurrency, withOneCurrency } from './counter-amount.ts';
import { formatDate } from './format-date.ts';
import { SignCurrencies, useAskingPrice, useListing } from './listings.ts';
import { MovePreview } from './MovePreview.tsx';
import { NameState } from './NameState.tsx';
import { useShownName } from './shown-names.ts';
import { PayAhead } from './WhereToPay.tsx';

const DAY_MS = 86_400_000;
const KINDS = { counter: 'Counter', accept: 'Accept', decline: 'Decline' } as const;
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
/** What the mail about a move has the link for. */
const LINK_TO = {
  counter: 'to answer',
  accept: 'to the page of the deal',
  decline: 'to read this for 14 days',
} as const;
/** How it ended for the buyer, who can make no move. */
const ENDS = {
  declined: 'You declined.',
  withdrawn: 'The buyer withdrew the offer.',
  closed: 'You set the status by hand: the buyer can make no more moves, and gets no mail.',
} as const;

/** The buyer makes no more moves. */
const READABLE = ' The buyer can read this for 14 days by the link below.';

/** `, in German`; nothing for a code that is none: a visitor's request named it. */
function inLanguage(code: string | null | undefined): string {
  try {
    return code ? `, in ${LANGUAGE_NAMES.of(code)}` : '';
  } catch {
    return '';
  }
}

/** The owner's next move, and the link for the buyer. */
export function Answer({ offer }: { offer: Offer }) {
  const { data, errorUpdateCount, refetch } = useQuery(negotiationQuery(offer.id));
  if (!data)
    return errorUpdateCount > 0 ? (
      <p className="failed" role="alert">
        Failed to load the moves.{' '}
        <button type="button" className="button quiet" onClick={() => refetch()}>
          Try again
        </button>
      </p>
    ) : null;
  return <Panel offer={offer} negotiation={data} />;
}

function Panel({ offer, negotiation }: { offer: Offer; negotiation: Negotiation }) {
  const { id, customer_email, customer_name } = offer;
  const { status, moves, can, link, mails, language } = negotiation;
  const sending = useMutation(negotiate);
  const { mutate, isPending } = sending;
  const error = errorOf(sending, negotiation);
  const domain = useShownName(offer.domain_name);
  const customer = withoutDirectionMarks(customer_name);
  const isTakenBack = moves.at(-1)?.kind === 'take_back';
  const fellThrough = status === 'declined' && isTakenBack;
  const readable = useIsForSale(offer.domain_name) && link ? READABLE : '';
  const canAnswer = Object.keys(KINDS).some((kind) => can.includes(kind));
  return (
    <section className="answer" aria-label={`Answer to ${customer} for ${domain}`}>
      <h3>Answer</h3>
      {fellThrough ? (
        <p key={readable}>{`The deal fell through.${readable}`}</p>
      ) : (
        status !== 'open' &&
        status !== 'accepted' && (
          <p key={readable}>{ENDS[status] + (status === 'declined' ? readable : '')}</p>
        )
      )}
      {isTakenBack && <OffSale name={offer.domain_name} isOpen={status === 'open'} />}
      {canAnswer && (
        <NextMove
          {...{ offer, negotiation, isPending }}
          mailTo={mails ? `${customer_email}${inLanguage(language)}` : undefined}
          onSend={(move) => mutate({ id, move })}
        />
      )}
      {error && (
        <p className="failed" role="alert">
          {error.message || 'Failed to send. Please try again.'}
        </p>
      )}
      {link && (
        <>
          <h4>Link for the buyer</h4>
          <BuyerLink {...{ offer, link, language }} />
        </>
      )}
    </section>
  );
}

/** Whether the link to a refusal opens: not that of a name which takes no offers. */
function useIsForSale(name: string): boolean {
  const listing = useListing(name);
  return listing === undefined || listing?.state === 'for_sale';
}

/** What is left to do for a name whose deal has ended: reserved or sold it takes no moves. */
function OffSale({ name, isOpen }: { name: string; isOpen: boolean }) {
  useQuery(polledListingQuery(name));
  const listing = useListing(name);
  if (listing?.state !== 'reserved' && listing?.state !== 'sold') return null;
  const state = listing.state === 'sold' ? 'still marked as sold' : 'still reserved';
  const why = isOpen ? ', and neither side can make a move' : '';
  return (
    <>
      <p key={state}>{`The name is ${state}${why}. To put it up for sale again:`}</p>
      <NameState name={name} to="for_sale" />
    </>
  );
}

interface NextMoveProps {
  offer: Offer;
  negotiation: Negotiation;
  isPending: boolean;
  /** Undefined where moves are not mailed. */
  mailTo: string | undefined;
  onSend: (move: Move) => void;
}

/** The owner's next move: a counter-offer unless another kind is chosen. */
function NextMove({ offer: { id, domain_name }, negotiation, isPending, mailTo, onSend }: NextMoveProps) {
  const { can, moves, seen, payment } = negotiation;
  const draft = useStore($drafts)[id] ?? NEW_DRAFT;
  const now = useStore($now);
  const asking = useAskingPrice(domain_name);
  const isForSale = useIsForSale(domain_name);
  const currencies = useContext(SignCurrencies);
  const field = useRef<HTMLInputElement>(null);
  const write = (changed: Partial<Draft>) => writeDraft(id, changed);
  const kinds = (Object.keys(KINDS) as Draft['kind'][]).filter((kind) => can.includes(kind));
  const kind = kinds.includes(draft.kind) ? draft.kind : (kinds[0] ?? draft.kind);
  const offered = priceIn(moves.findLast(({ side, amount }) => side === 'buyer' && amount) ?? {});
  const currency = currencyIn([asking?.price, offered], currencies);
  const amount = draft.amount ?? currency;
  const isEmpty = isUntyped(amount, currency);
  const distance = distanceOf(amount, { offered, asking: asking?.price, currencies });
  const move: Move = {
    kind,
    seen,
    ...(kind === 'counter' && { amount, days: draft.days }),
    ...(draft.note && { note: draft.note }),
  };

  function send() {
    if (isPending) return;
    if (kind === 'counter' && isEmpty) {
      field.current?.setCustomValidity('Please type an amount.');
      field.current?.reportValidity();
    } else if (kind === 'counter' && lacksCurrency(amount) && !draft.isAsked) write({ isAsked: true });
    else onSend(move);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <fieldset className="choice" aria-label="Kind of answer">
        {kinds.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={`kind ${id}`}
              checked={each === kind}
              onChange={() => write({ kind: each })}
            />
            {KINDS[each]}
          </label>
        ))}
      </fieldset>
      {kind === 'counter' && (
        <>
          <label className="line" htmlFor={`amount ${id}`}>
            <b>Your amount</b> {asking && <small>{`asking ${asking.text}`}</small>}
          </label>
          <input
            ref={field}
            id={`amount ${id}`}
            className="input amount"
            autoComplete="off"
            aria-describedby={`distance-${id}`}
            required
            value={amount}
            // After the currency.
            onFocus={({ target }) => {
              if (isEmpty) target.setSelectionRange(target.value.length, target.value.length);
            }}
            onChange={({ target }) => {
              target.setCustomValidity('');
              write({ amount: withOneCurrency(target.value, currency, currencies) });
            }}
          />
          <p id={`distance-${id}`} className="distance">
            {distance}
          </p>
          <fieldset className="choice">
            <legend className="line">
              <b>Valid for</b>{' '}
              <small>{`until ${formatDate(new Date(now + draft.days * DAY_MS).toISOString())}`}</small>
            </legend>
            {VALID_DAYS.map((days) => (
              <label key={days}>
                <input
                  type="radio"
                  name={`days ${id}`}
                  checked={days === draft.days}
                  onChange={() => write({ days })}
                />
                {days} days
              </label>
            ))}
          </fieldset>
        </>
      )}
      <label className="line" htmlFor={`note ${id}`}>
        <b>Note (optional)</b> <small>at most {MAX_NOTE.toLocaleString('en-US')} characters</small>
      </label>
      <textarea
        id={`note ${id}`}
        className="input"
        rows={2}
        value={draft.note ?? ''}
        onChange={({ target }) => write({ note: target.value })}
      />
      {kind === 'accept' && payment && <PayAhead payment={payment} />}
      {mailTo && <MovePreview id={id} move={move} isComplete={kind !== 'counter' || !isEmpty} />}
      {kind === 'counter' && draft.isAsked && lacksCurrency(amount) && (
        <p role="alert">
          <b key={amount}>“{amount}” names no currency.</b> Add it, or press Send again to send it as it is.
        </p>
      )}
      <div className="send">
        <button type="submit" className="button" aria-disabled={isPending}>
          {isPending ? 'Sending...' : 'Send'}
        </button>
        <small key={kind}>
          {mailTo === undefined
            ? 'No mail is sent: copy the link.'
            : `Mail to ${mailTo}${kind !== 'decline' || isForSale ? `, with the link ${LINK_TO[kind]}` : ''}.`}
        </small>
      </div>
    </form>
  );
}
