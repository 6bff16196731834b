import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import type { Negotiation as Shown, StoredMove } from '#contract/negotiation.ts';
import { shownAmountOf, standingOf } from '#contract/shown-amount.ts';
import { breakName } from '../domain-name/break-name.ts';
import { sizeOf } from '../domain-name/size-of.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { $negotiation, openNegotiation, refreshDeal } from '../stores/negotiation.ts';
import { BuyerMoves } from './BuyerMoves.tsx';
import { CodeEntry } from './CodeEntry.tsx';
import { Deal } from './Deal.tsx';
import { daysLeft } from './days-left.ts';
import { Filled } from './Filled.tsx';
import { timeText } from './time-text.ts';
import { tokenIn } from './token-in.ts';
import { WithAmount } from './WithAmount.tsx';
import { Zone } from './Zone.tsx';

/** Time between two readings of a deal that is shown, in milliseconds. */
const REFRESH_MS = 30_000;

interface Props {
  messages: NegotiationMessages;
  language: string;
  /** Of the pages in this language: empty or `/de`. */
  prefix: string;
  owner?: string | undefined;
  /** Email for visitors. */
  contact?: string | undefined;
  /** The owner's links that are no pages. */
  contacts: readonly { url: string; text: string; lang?: string | undefined }[];
}

/** What the buyer's link opens: what is open now with the moves that are possible, and those so far. */
export function Negotiation({
  messages,
  language,
  prefix,
  owner = messages.theOwner,
  contact,
  contacts,
}: Props) {
  const state = useStore($negotiation, { ssr: 'initial' });

  useEffect(() => {
    const follow = () => {
      const token = tokenIn(location);
      if (token && location.hash !== `#${token}`)
        history.replaceState(history.state, '', `${location.pathname}#${token}`);
      open();
      // The other languages' pages open the same link.
      for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a'))
        link.hash = location.hash;
    };
    follow();
    // The buyer comes back from the payment.
    const refresh = () => {
      if (document.visibilityState === 'visible') void refreshDeal();
    };
    addEventListener('hashchange', follow);
    document.addEventListener('visibilitychange', refresh);
    // What was taken back is not paid on a page that stays open.
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      clearInterval(timer);
      removeEventListener('hashchange', follow);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, []);

  if (state.status === 'loading') return <p role="status">{messages.loading}</p>;
  if (state.status === 'failed')
    return (
      <>
        <p className="error" role="alert">
          {messages.failed}
        </p>
        <button ref={state.isNext ? focus : undefined} type="button" className="button" onClick={open}>
          {messages.retry}
        </button>
      </>
    );
  if (state.status === 'cut')
    return (
      <div className="gone">
        <h1>{messages.cut.title}</h1>
        <p>{messages.cut.text}</p>
        <CodeEntry
          messages={messages.cut}
          onOpen={(token) => {
            location.hash = token;
          }}
        />
        {contact && (
          <>
            <p>{messages.cut.write}</p>
            <a className="button quiet" href={`mailto:${contact}`}>
              {contact}
            </a>
          </>
        )}
      </div>
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
  const { domain, status, moves, deal } = negotiation;
  const name = negotiation.shown ?? domain;
  const [head, tail, ending] = breakName(name);
  const saying = sayingOf(moves);
  const buyerMoves = <BuyerMoves {...{ state, messages, language, owner, name }} />;
  const seller = (owner !== messages.theOwner || contact || contacts.length > 0) && (
    <section className="seller" aria-labelledby="seller-title">
      <h2 id="seller-title">{messages.seller}</h2>
      {owner !== messages.theOwner && <b>{owner}</b>}
      {contact && !contacts.some(({ url }) => url.startsWith('mailto:')) && (
        <a href={`mailto:${contact}`}>{contact}</a>
      )}
      {contacts.map(({ url, text, lang }) => (
        <a key={url} href={url} lang={lang}>
          {text}
        </a>
      ))}
    </section>
  );
  const soFar = (
    <ol className="moves">
      {moves.map((move) => (
        <li key={move.number} className={move.side === 'buyer' ? 'mine' : undefined}>
          <b>
            <MoveTitle {...{ move, moves, messages, language, owner }} />
          </b>
          <time dateTime={move.at}>{timeText(move.at, language, 'short')}</time>
          {move.note && move !== saying && (
            <q dir="auto" className="note">
              {move.note}
            </q>
          )}
        </li>
      ))}
    </ol>
  );
  return (
    <div className="deal" data-status={status}>
      {/* Keys replace whole elements, as in OfferForm. */}
      <h1 key={status}>
        {status === 'accepted' ? messages.agreedFor : messages.for}{' '}
        <strong translate="no">
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
      {status === 'accepted' && deal ? (
        <>
          <Deal
            key={deal.reference}
            isNext={state.isNext}
            {...{ negotiation, deal, messages, language, owner, name }}
          >
            <Note {...{ moves, language, owner }} />
            {buyerMoves}
          </Deal>
          {seller}
          {/* The steps say what has happened, but not what was written. */}
          {moves.some((move) => move.note && move !== saying) && (
            <section aria-labelledby="history-title">
              <h2 id="history-title">{messages.moves}</h2>
              {soFar}
            </section>
          )}
        </>
      ) : (
        <>
          <section className="now" aria-labelledby="now-title">
            {/* What is new after a move takes the focus. */}
            <Now
              key={`${negotiation.seen} ${status} ${negotiation.can}`}
              isNext={state.isNext}
              {...{ negotiation, messages, language, owner }}
            />
            {status === 'withdrawn' && (
              <a className="link" href={`https://${domain}${prefix}/`}>
                <Filled
                  text={messages.again}
                  values={{
                    domain: (
                      <bdi dir="ltr" translate="no">
                        {name}
                      </bdi>
                    ),
                  }}
                />
              </a>
            )}
            {buyerMoves}
          </section>
          <div className="side">
            <h2>{messages.moves}</h2>
            {soFar}
            <Zone text={messages.zone} language={language} />
            {seller}
          </div>
        </>
      )}
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
  const { moves, status, can, answer_by, mails } = negotiation;
  const amount = shownAmountOf(moves, language);
  const last = standingOf(moves);
  // One that was accepted, and that taken back, is over before its end.
  const until = last === moves.at(-1) ? last?.valid_until : undefined;
  const isCounter = last?.side === 'owner';
  const open = isCounter ? (can.includes('accept') ? 'counter' : 'ended') : 'offer';
  const days = last && open === 'counter' ? daysLeft(last) : undefined;
  const { left: texts } = messages;
  const hasEnded = /^(take_back|close)$/.test(moves.at(-1)?.kind ?? '');
  const wasAgreed = hasEnded && moves.some(({ kind }) => kind === 'accept');
  const what = status === 'open' ? open : status === 'declined' && hasEnded ? 'fellThrough' : status;
  const isWaiting = status === 'open' && !isCounter;
  const title = messages.now[isWaiting && owner !== messages.theOwner ? 'offerWith' : what];
  const answersBy = isWaiting && answer_by && Date.parse(answer_by) > Date.now() ? answer_by : undefined;
  return (
    <>
      <h2 id="now-title" tabIndex={-1} ref={isNext ? focus : undefined}>
        <WithAmount text={title} amount={amount} values={{ owner }} />
      </h2>
      {status === 'open' && (
        <p className="amount" data-size={sizeOf(amount.text)} translate={amount.isClear ? 'no' : undefined}>
          {amount.text}
        </p>
      )}
      {status === 'open' && isCounter && until && (
        <p className="until">
          <b>
            <Filled
              text={messages.until}
              values={{ date: <time dateTime={until}>{timeText(until, language, 'long')}</time> }}
            />
          </b>{' '}
          {days !== undefined && (
            <span className="left">
              {interpolate(days === 0 ? texts.less : days === 1 ? texts.day : texts.days, { count: days })}
            </span>
          )}
        </p>
      )}
      {answersBy && (
        <p className="until">
          <b>
            <Filled
              text={messages.answersBy}
              values={{
                owner,
                date: <time dateTime={answersBy}>{timeText(answersBy, language, 'day')}</time>,
              }}
            />
          </b>
        </p>
      )}
      <Note {...{ moves, language, owner }} />
      {wasAgreed && <p>{messages.notDue}</p>}
      {isWaiting && <p className="soft">{mails ? messages.waiting : messages.noMail}</p>}
    </>
  );
}

/** The last move, if it is the owner's and has a note: that stands above, the others below their moves. */
function sayingOf(moves: readonly StoredMove[]): StoredMove | undefined {
  const last = moves.at(-1);
  return last?.side === 'owner' && last.note ? last : undefined;
}

function Note({
  moves,
  language,
  owner,
}: Pick<Props, 'language'> & { moves: readonly StoredMove[]; owner: string }) {
  const saying = sayingOf(moves);
  if (!saying) return undefined;
  return (
    <>
      <p className="say" dir="auto">
        {saying.note}
      </p>
      <p className="by">{`${owner}, ${timeText(saying.at, language, 'short')}`}</p>
    </>
  );
}

function open(): void {
  void openNegotiation(tokenIn(location) ?? '');
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
