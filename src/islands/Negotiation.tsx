import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import type { Negotiation as Shown, StoredMove } from '#contract/negotiation.ts';
import { shownAmountOf, standingOf } from '#contract/shown-amount.ts';
import { breakName } from '../domain-name/break-name.ts';
import { sizeOf } from '../domain-name/size-of.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { $negotiation, openNegotiation } from '../stores/negotiation.ts';
import { BuyerMoves } from './BuyerMoves.tsx';
import { daysLeft } from './days-left.ts';
import { WithAmount } from './WithAmount.tsx';

const DATE = {
  year: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

interface Props {
  messages: NegotiationMessages;
  language: string;
  owner?: string | undefined;
  /** Email for visitors. */
  contact?: string | undefined;
  /** The owner's links that are no pages. */
  contacts: readonly { url: string; text: string; lang?: string | undefined }[];
}

/** What the buyer's link opens: what is open now with the moves that are possible, and those so far. */
export function Negotiation({ messages, language, owner = messages.theOwner, contact, contacts }: Props) {
  const state = useStore($negotiation, { ssr: 'initial' });

  useEffect(() => {
    const follow = () => {
      open();
      // The other languages' pages open the same link.
      for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a'))
        link.hash = location.hash;
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  if (state.status === 'loading') return <p role="status">{messages.loading}</p>;
  if (state.status === 'failed')
    return (
      <>
        <p className="error" role="alert">
          {messages.failed}
        </p>
        <button type="button" className="button" onClick={open}>
          {messages.retry}
        </button>
      </>
    );
  if (state.status === 'invalid')
    return (
      <div className="gone" role="alert">
        <h1 key="gone">{messages.invalid.title}</h1>
        <p>{messages.invalid.text}</p>
        {contact && (
          <a className="button quiet" href={`mailto:${contact}`}>
            {contact}
          </a>
        )}
      </div>
    );

  const { negotiation } = state;
  const { domain, status, moves } = negotiation;
  const name = negotiation.shown ?? domain;
  const [head, tail, ending] = breakName(name);
  return (
    <div className="deal">
      {/* Keys replace whole elements, as in OfferForm. */}
      <h1 key={status}>
        {status === 'accepted' ? messages.agreedFor : messages.for}{' '}
        <strong data-size={sizeOf(name)} translate="no">
          {/* In any script as in an address bar. */}
          <bdi dir="ltr">
            {head}
            <wbr />
            {tail}
            <i>.</i>
            {ending}
          </bdi>
        </strong>
      </h1>
      <section className="now" data-status={status} aria-labelledby="now-title">
        {/* What is new after a move takes the focus. */}
        <Now
          key={`${negotiation.seen} ${status}`}
          isNext={state.isNext}
          {...{ negotiation, messages, language, owner }}
        />
        <BuyerMoves key={negotiation.seen} {...{ state, messages, language, owner, name }} />
      </section>
      <div className="side">
        <h2>{messages.moves}</h2>
        <ol className="moves">
          {moves.map((move) => (
            <li key={move.number} className={move.side === 'buyer' ? 'mine' : undefined}>
              <b>
                <MoveTitle {...{ move, moves, messages, language, owner }} />
              </b>
              <time dateTime={move.at}>{timeOf(move.at, language, 'short')}</time>
            </li>
          ))}
        </ol>
        {(owner !== messages.theOwner || contact || contacts.length > 0) && (
          <section className="seller" aria-labelledby="seller-title">
            <h2 id="seller-title">{messages.seller}</h2>
            {owner !== messages.theOwner && <b>{owner}</b>}
            {contacts.map(({ url, text, lang }) => (
              <a key={url} href={url} lang={lang}>
                {text}
              </a>
            ))}
            {contacts.length === 0 && contact && <a href={`mailto:${contact}`}>{contact}</a>}
          </section>
        )}
      </div>
    </div>
  );
}

/** What is open, or how it ended. */
function Now({
  negotiation,
  messages,
  language,
  owner,
  isNext,
}: Pick<Props, 'messages' | 'language'> & { negotiation: Shown; owner: string; isNext: boolean }) {
  const { moves, status, can, closing } = negotiation;
  const amount = shownAmountOf(moves, language);
  const last = standingOf(moves);
  // One that was accepted, and that taken back, is over before its end.
  const until = last === moves.at(-1) ? last?.valid_until : undefined;
  const isCounter = last?.side === 'owner';
  const open = isCounter ? (can.includes('accept') ? 'counter' : 'ended') : 'offer';
  const days = last && open === 'counter' ? daysLeft(last) : undefined;
  const { left: texts } = messages;
  const note = moves.at(-1)?.side === 'owner' && moves.at(-1)?.note;
  return (
    <>
      <h2 id="now-title" tabIndex={-1} ref={isNext ? focus : undefined}>
        <WithAmount text={messages.now[status === 'open' ? open : status]} amount={amount} />
      </h2>
      {status === 'open' && (
        <p className="amount" translate={amount.isClear ? 'no' : undefined}>
          {amount.text}
        </p>
      )}
      {status === 'open' && isCounter && until && (
        <p>
          {messages.until}{' '}
          <b>
            <time dateTime={until}>{timeOf(until, language, 'long')}</time>
          </b>
          {days !== undefined && (
            <span className="left">
              {` · ${interpolate(days === 0 ? texts.less : days === 1 ? texts.day : texts.days, { count: days })}`}
            </span>
          )}
        </p>
      )}
      {note && <p className="quote">{note}</p>}
      {status === 'open' && !isCounter && <p>{messages.waiting}</p>}
      {status === 'accepted' &&
        (closing ? (
          // Rendered by this site's own build from the owner's Markdown, without HTML of anybody else.
          // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
          <div className="closing" dangerouslySetInnerHTML={{ __html: closing }} />
        ) : (
          <p>{interpolate(messages.closing, { owner })}</p>
        ))}
    </>
  );
}

function open(): void {
  void openNegotiation(location.hash.slice(1));
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}

function MoveTitle({
  move,
  moves,
  messages,
  language,
  owner,
}: Pick<Props, 'messages' | 'language'> & { move: StoredMove; moves: readonly StoredMove[]; owner: string }) {
  const texts: Record<string, string> = messages[move.side];
  const amount = shownAmountOf(moves.slice(0, moves.indexOf(move) + 1), language);
  return <WithAmount text={texts[move.kind] ?? move.kind} amount={amount} values={{ owner }} />;
}

function timeOf(time: string, language: string, month: 'short' | 'long'): string {
  return new Date(time).toLocaleString(language, {
    ...DATE,
    month,
    ...(month === 'long' && { weekday: 'long' }),
  });
}
