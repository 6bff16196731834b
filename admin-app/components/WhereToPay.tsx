import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useId } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import {
  type Deal,
  type DealChange,
  MAX_PAY_LINK,
  type Negotiation,
  type Payment,
  type PayWay,
} from '#contract/negotiation.ts';
import { shorten } from '#contract/shorten.ts';
import { $now } from '../stores/admin.ts';
import { errorOf, problemField } from '../stores/negotiation.ts';
import { $drafts, negotiate, writeDraft } from '../stores/negotiation-admin.ts';
import { BuyerLink } from './BuyerLink.tsx';
import { type DealProps, Problem } from './Deal.tsx';
import { dateIn, weekdayOf } from './deal-steps.ts';
import { textOfHtml } from './text-of-html.ts';

/** Read once it is offered. */
const DeclineOthers = lazy(() => import('./DeclineOthers.tsx'));

/** Days of a year, the latest that `Pay by` may be. */
const YEAR_DAYS = 365;

const TITLES: Readonly<Record<PayWay, string>> = {
  template: 'Link from your template',
  link: 'Link for this deal',
  closing: 'Closing text',
};

const NOWHERE =
  'The buyer sees no way to pay: set checkout or a closing text in the settings of the catalogue, or write to the buyer.';

/** Why the buyer sees no way to pay, and what to do. */
function whyNowhere({ taken_by }: Payment): string {
  return taken_by == null
    ? NOWHERE
    : `The buyer sees no way to pay: the offer of ${withoutDirectionMarks(taken_by)} for this name is accepted, too. Take one of the two back.`;
}

/** Where and until when the buyer pays, and the buyer’s page. */
export function DealBox({ offer, negotiation, deal }: DealProps) {
  const { payment, link } = negotiation;
  return (
    <section className="answer deal-box" aria-label="Payment">
      {payment && !deal.paid_at && (
        <>
          <WhereToPay {...{ id: offer.id, payment, negotiation, deal }} mails={negotiation.mails === true} />
          {payment.pay_days != null && payment.way && <PayBy {...{ id: offer.id, negotiation, deal }} />}
        </>
      )}
      <Suspense>
        <DeclineOthers name={offer.domain_name} />
      </Suspense>
      {link && (
        <>
          <h4>The buyer’s page</h4>
          <BuyerLink {...{ offer, link }} language={negotiation.language} isOpened />
        </>
      )}
    </section>
  );
}

interface ChangesProps {
  id: string;
  negotiation: Negotiation;
  deal: Deal;
}

function useChange({ id, negotiation, deal: { reference, seen } }: ChangesProps) {
  const sending = useMutation(negotiate);
  const { mutate, isPending } = sending;
  return {
    isPending,
    error: errorOf(sending, negotiation),
    send: (change: Pick<DealChange, 'field' | 'to'>) => {
      if (!isPending) mutate({ id, deal: { reference, seen: seen ?? 0, ...change } as DealChange });
    },
  };
}

function WhereToPay({
  id,
  payment,
  negotiation,
  deal,
  mails,
}: ChangesProps & { payment: Payment; mails: boolean }) {
  const draft = useStore($drafts)[id];
  const { isPending, error, send } = useChange({ id, negotiation, deal });
  const fieldId = useId();
  const { ways, hosts, way: inForce } = payment;
  const stored = ways.find(({ way }) => way === 'link')?.url ?? '';
  const link = draft?.link ?? stored;
  const offered = (['template', 'link', 'closing'] as const).filter(
    (way) =>
      payment.taken_by == null &&
      (ways.some((one) => one.way === way) || (way === 'link' && hosts.length > 0)),
  );
  const chosen = offered.find((way) => way === (draft?.way ?? inForce));
  const isLink = chosen === 'link';
  const isChanged = isLink ? link.trim() !== stored || inForce !== 'link' : chosen && chosen !== inForce;
  function save() {
    if (!isLink) send({ field: 'way', to: chosen ?? null });
    else if (link.trim() !== stored) send({ field: 'link', to: link.trim() || null });
    else send({ field: 'way', to: 'link' });
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h3 id={fieldId}>Where to pay</h3>
      {offered.length === 0 ? (
        <p>{whyNowhere(payment)}</p>
      ) : (
        <p>The buyer sees this on the page of the deal, and in the mail about it.</p>
      )}
      {offered.length > 0 && (
        <fieldset className="pay-ways" aria-labelledby={fieldId}>
          {offered.map((way) => (
            <label key={way}>
              <input
                type="radio"
                name={`way ${id}`}
                checked={way === chosen}
                onChange={() => writeDraft(id, { way })}
              />
              <span>
                <b>{TITLES[way]}</b>
                <small key={lineOf(way, payment)}>{lineOf(way, payment)}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {isLink && (
        <>
          <label className="line" htmlFor={`${fieldId}-link`}>
            <b>Link</b> <small>{`to ${hosts.join(', ')}`}</small>
          </label>
          <input
            id={`${fieldId}-link`}
            className="input"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            maxLength={MAX_PAY_LINK}
            required={stored === ''}
            aria-invalid={problemField(error) === 'link'}
            aria-describedby={error ? `${fieldId}-problem` : undefined}
            value={link}
            onChange={({ target }) => writeDraft(id, { way: 'link', link: target.value })}
          />
          <p>
            {mails
              ? 'All owners get a mail about each change of it.'
              : 'No mail is sent about a change of it: mails are not set up.'}
          </p>
        </>
      )}
      <Problem id={`${fieldId}-problem`} error={error} />
      {chosen && !(isLink && link !== stored) && <Seen way={chosen} payment={payment} />}
      {isChanged && (
        <div className="links">
          <button type="submit" className="button quiet" aria-disabled={isPending}>
            <span key={String(isPending)}>
              {isPending
                ? 'Saving...'
                : isLink && stored !== '' && link.trim() === ''
                  ? 'Remove link'
                  : 'Show this to the buyer'}
            </span>
          </button>
        </div>
      )}
    </form>
  );
}

/** Longest text below the title of a way, in UTF-16 units. The whole one is seen once the way is chosen. */
const MAX_LINE = 80;

/** What stands below the title of a way. */
function lineOf(way: PayWay, { ways }: Payment): string {
  const { url, html } = ways.find((one) => one.way === way) ?? {};
  if (url) return shorten(url.replace(/^https:\/\//, ''), MAX_LINE);
  if (html) return shorten(textOfHtml(html).replaceAll('\n', ' '), MAX_LINE);
  return way === 'link' ? 'Paste one that begins with https://' : NO_BUTTON;
}

const NO_BUTTON = 'No button: the agreed amount can be read in two ways';

/** What the buyer sees of a way. */
function Seen({ way, payment: { ways } }: { way: PayWay; payment: Payment }) {
  const { url, host, html } = ways.find((one) => one.way === way) ?? {};
  if (url && host)
    return (
      <p key="button" className="seen">
        The buyer sees a button that opens{' '}
        <a href={url} target="_blank" rel="noreferrer">
          <bdi>{host}</bdi>
        </a>
        .
      </p>
    );
  if (!html) return null;
  const text = textOfHtml(html);
  return (
    <>
      <p key="text" className="seen">
        The buyer sees:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields */}
      <div className="closing-text" role="group" aria-label="Closing text" tabIndex={0}>
        <span key={text}>{text}</span>
      </div>
    </>
  );
}

function PayBy({ id, negotiation, deal }: ChangesProps) {
  const draft = useStore($drafts)[id];
  const now = useStore($now);
  const { isPending, error, send } = useChange({ id, negotiation, deal });
  const fieldId = useId();
  const stored = deal.pay_by ?? '';
  const date = draft?.payBy ?? stored;
  return (
    <form
      className="pay-by"
      onSubmit={(event) => {
        event.preventDefault();
        if (date !== stored) send({ field: 'pay_by', to: date || null });
      }}
    >
      <h4>
        <label htmlFor={fieldId}>Pay by</label>
      </h4>
      <div className="links">
        <input
          id={fieldId}
          className="input"
          type="date"
          min={dateIn(0, now)}
          max={dateIn(YEAR_DAYS, now)}
          aria-describedby={error ? `${fieldId}-problem` : undefined}
          value={date}
          onChange={({ target }) => writeDraft(id, { payBy: target.value })}
        />
        {date !== stored && (
          <button type="submit" className="button quiet" aria-disabled={isPending}>
            <span key={`${isPending} ${date === ''}`}>
              {isPending ? 'Saving...' : date === '' ? 'Remove date' : 'Save date'}
            </span>
          </button>
        )}
      </div>
      <Problem id={`${fieldId}-problem`} error={error} />
      {stored === '' && <p>No date, and no reminder to the buyer.</p>}
    </form>
  );
}

/** The same before the owner accepts. */
export function PayAhead({ payment }: { payment: Payment }) {
  const now = useStore($now);
  const { way, pay_days } = payment;
  return (
    <div className="pay-ahead">
      <h4>Where to pay</h4>
      {way ? (
        <>
          <p>
            {TITLES[way] +
              (payment.hosts.length > 0 ? '. You can choose another one once it is accepted.' : '')}
          </p>
          <Seen way={way} payment={payment} />
          {pay_days != null && <p key={pay_days}>{`Pay by ${weekdayOf(dateIn(pay_days, now))}.`}</p>}
        </>
      ) : (
        <p>{whyNowhere(payment)}</p>
      )}
    </div>
  );
}
