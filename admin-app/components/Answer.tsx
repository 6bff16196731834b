import { useStore } from '@nanostores/react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useContext, useRef, useState } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { MAX_NOTE, type Move, type Negotiation, VALID_DAYS } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { priceIn, shownAmountOf } from '#contract/shown-amount.ts';
import {
  $copied,
  $drafts,
  $now,
  copy,
  negotiate,
  negotiationQuery,
  polledListingQuery,
  previewQuery,
  writeDraft,
} from '../stores/admin.ts';
import { type Draft, NEW_DRAFT } from '../stores/negotiation.ts';
import { currencyIn, distanceOf, isUntyped, lacksCurrency, withOneCurrency } from './counter-amount.ts';
import { formatDateWithZone } from './format-date.ts';
import { SignCurrencies, useAskingPrice, useListing } from './listings.ts';
import { MailPreview } from './MailPreview.tsx';
import { mailtoWithLink } from './mailto-link.ts';
import { PageLink } from './PageLink.tsx';
import { useShownName } from './shown-names.ts';
import { useSettled } from './use-settled.ts';
import './answer.css';
import './choice.css';

/** Read once it is offered. */
const DeclineOthers = lazy(() => import('./DeclineOthers.tsx'));

const DAY_MS = 86_400_000;
const KINDS = { counter: 'Counter', accept: 'Accept', decline: 'Decline' } as const;
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
/** How it ended for the buyer, who can make no move. */
const ENDS = {
  declined: 'You declined. The buyer can read this for 14 days.',
  withdrawn: 'The buyer withdrew the offer.',
  closed: 'You set the status by hand: the buyer can make no more moves, and gets no mail.',
} as const;

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
  const { data, isError, refetch } = useQuery(negotiationQuery(offer.id));
  if (!data)
    return isError ? (
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
  const { status, moves, seen, can, link, mails, language } = negotiation;
  const { mutate, isPending, variables, error } = useMutation(negotiate);
  // The link is dead soon, and must not be handed on.
  const isRenewing = isPending && variables.new_link === true;
  const domain = useShownName(offer.domain_name);
  const customer = withoutDirectionMarks(customer_name);
  const copied = useStore($copied);
  const isCopied = (by: string) => copied?.by === by && copied.isCopied;
  const [isAsking, ask] = useState(false);
  const canAnswer = Object.keys(KINDS).some((kind) => can.includes(kind));
  return (
    <section className="answer" aria-label={`Answer to ${customer} for ${domain}`}>
      {status === 'accepted' ? (
        <>
          <h3>
            Agreed: <Agreed moves={moves} />
          </h3>
          <p>{customer} reads your closing text on the page behind the link.</p>
          <StateOfName name={offer.domain_name}>
            {can.includes('take_back') && !isAsking && (
              <button type="button" className="button quiet" onClick={() => ask(true)}>
                Take back
              </button>
            )}
          </StateOfName>
          {isAsking && (
            <>
              <p>Take back your agreement with {customer}? The offer is open again.</p>
              <div className="links">
                <button
                  // biome-ignore lint/a11y/noAutofocus: takes the focus of the button that it replaces
                  autoFocus
                  type="button"
                  className="button quiet remove"
                  onClick={() => {
                    ask(false);
                    mutate({ id, move: { kind: 'take_back', seen } });
                  }}
                >
                  Take back
                </button>
                <button type="button" className="button quiet" onClick={() => ask(false)}>
                  Cancel
                </button>
              </div>
            </>
          )}
        </>
      ) : (
        <h3>Answer</h3>
      )}
      {status !== 'open' && status !== 'accepted' && <p>{ENDS[status]}</p>}
      {canAnswer && (
        <NextMove
          {...{ offer, negotiation, isPending }}
          hint={
            mails
              ? `Mail to ${customer_email}${inLanguage(language)}, with the link to answer.`
              : 'No mail is sent: copy the link.'
          }
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
          <div className="links">
            <button
              type="button"
              className="button quiet"
              disabled={isRenewing}
              onClick={() => copy(link, `link ${link}`, 'Link')}
            >
              {isCopied(`link ${link}`) ? 'Copied' : 'Copy link'}
            </button>
            <a
              className="button quiet"
              aria-disabled={isRenewing}
              href={isRenewing ? undefined : mailtoWithLink({ email: customer_email, domain }, link)}
            >
              Write mail
            </a>
            <button
              type="button"
              className="button quiet"
              aria-disabled={isRenewing}
              onClick={() => !isRenewing && mutate({ id, new_link: true })}
            >
              New link
            </button>
          </div>
          <p>New link: the old one stops working. For a wrong address or a forwarded mail.</p>
        </>
      )}
    </section>
  );
}

function Agreed({ moves }: Pick<Negotiation, 'moves'>) {
  const { text, isClear } = shownAmountOf(moves, 'en');
  return <bdi translate={isClear ? 'no' : undefined}>{withoutDirectionMarks(text)}</bdi>;
}

/**
 * What is left to do so that no further offer is made for a name that is agreed on.
 * @param props.children buttons beside the one that copies the commands
 */
function StateOfName({ name, children }: { name: string; children: ReactNode }) {
  useQuery(polledListingQuery(name));
  const listing = useListing(name);
  const copied = useStore($copied);
  const command = `npm run catalogue -- reserve ${name} && npm run build`;
  const by = `command ${name}`;
  const state = listing === null ? 'gone' : listing?.state;
  const done = state !== undefined && DONE.get(state);
  const open =
    state === undefined
      ? 'If the name is still for sale, reserve it under Names or on the server:'
      : 'The name is still for sale until you reserve it, under Names or on the server:';
  return (
    <>
      <p>{done || open}</p>
      {!done && <code translate="no">{command}</code>}
      <div className="links">
        {!done && (
          <button type="button" className="button quiet" onClick={() => copy(command, by, 'Command')}>
            {copied?.by === by && copied.isCopied ? 'Copied' : 'Copy command'}
          </button>
        )}
        {!done && (
          <PageLink page="names" fragment={`#q=${name}`} className="button quiet">
            Open under Names
          </PageLink>
        )}
        {children}
      </div>
      {(state === 'reserved' || state === 'sold') && (
        <Suspense>
          <DeclineOthers name={name} />
        </Suspense>
      )}
    </>
  );
}

/** By state of the name. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['reserved', 'The name is reserved: it takes no other offers.'],
  ['sold', 'The name is marked as sold: it takes no other offers.'],
  ['gone', 'The name is not in the catalogue: it takes no other offers.'],
]);

interface NextMoveProps {
  offer: Offer;
  negotiation: Negotiation;
  isPending: boolean;
  hint: string;
  onSend: (move: Move) => void;
}

/** The owner's next move: a counter-offer unless another kind is chosen. */
function NextMove({ offer: { id, domain_name }, negotiation, isPending, hint, onSend }: NextMoveProps) {
  const { can, moves, seen, mails } = negotiation;
  const draft = useStore($drafts)[id] ?? NEW_DRAFT;
  const now = useStore($now);
  const asking = useAskingPrice(domain_name);
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
              <small>{`until ${formatDateWithZone(new Date(now + draft.days * DAY_MS).toISOString())}`}</small>
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
      {mails && <Preview id={id} move={move} isComplete={kind !== 'counter' || !isEmpty} />}
      {kind === 'counter' && draft.isAsked && lacksCurrency(amount) && (
        <p role="alert">
          <b key={amount}>“{amount}” names no currency.</b> Add it, or press Send again to send it as it is.
        </p>
      )}
      <div className="send">
        <button type="submit" className="button" aria-disabled={isPending}>
          {isPending ? 'Sending...' : 'Send'}
        </button>
        <small>{hint}</small>
      </div>
    </form>
  );
}

/** The mail that a move would send, as the server composes it. */
function Preview({ id, move, isComplete }: { id: string; move: Move; isComplete: boolean }) {
  const json = JSON.stringify(move);
  const typed = useSettled(json);
  const { data, isError } = useQuery({
    ...previewQuery(id, JSON.parse(typed)),
    enabled: isComplete && typed === json,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  if (isError || data === null) return null;
  const text = isComplete ? 'Loading...' : 'Type an amount to see it.';
  return <MailPreview mail={isComplete ? data : undefined} otherwise={text} />;
}
