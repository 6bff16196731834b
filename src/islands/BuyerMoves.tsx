import { type ReactNode, useState } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { type ShownAmount, shownAmountOf, standingOf } from '#contract/shown-amount.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { type NegotiationState, sendMove } from '../stores/negotiation.ts';
import { Icon } from './Icon.tsx';
import { WithAmount } from './WithAmount.tsx';

interface Props {
  state: Extract<NegotiationState, { status: 'shown' }>;
  messages: NegotiationMessages;
  language: string;
  owner: string;
  /** The domain's decoded name. */
  name: string;
}

type Kind = 'accept' | 'offer' | 'withdraw';

/** Longest amount that the button repeats, in UTF-16 units. */
const SHORT_AMOUNT = 24;

/** The buyer's moves. The form of an offer opens below; the others are sent after a question, which takes the place of the buttons. */
export function BuyerMoves({ state, messages, language, owner, name }: Props) {
  const [chosen, choose] = useState<Kind>();
  const [before, setBefore] = useState<Kind>();
  const [note, setNote] = useState('');
  const [typed, setTyped] = useState('');
  const { negotiation, isSending, failure } = state;
  const { can, moves } = negotiation;
  const [seen, setSeen] = useState(negotiation.seen);
  if (seen !== negotiation.seen) {
    setSeen(negotiation.seen);
    choose(undefined);
    setBefore(undefined);
    // What was typed for a move that was not made stays.
    if (!failure) {
      setNote('');
      setTyped('');
    }
  }
  const amount = shownAmountOf(moves, language);
  const values = { domain: name, owner };
  const texts: Record<string, string> = messages.failures;
  const field = <NoteField {...{ messages, note, setNote, failure }} />;
  const error = failure && (
    <p id="move-failure" className="error" role="alert">
      {texts[failure] ?? messages.failures.unexpected}
    </p>
  );
  if (can.length === 0) return error;
  // A move that is sent cannot be called back.
  const choosing = (kind: Kind | undefined) => ({
    'aria-disabled': isSending,
    onClick: () => {
      if (isSending) return;
      setBefore(chosen);
      choose(kind);
    },
  });

  // After an end date has passed, an acceptance is no longer possible.
  if ((chosen === 'accept' || chosen === 'withdraw') && can.includes(chosen))
    return (
      <form
        aria-labelledby="question"
        onSubmit={(event) => {
          event.preventDefault();
          void sendMove({ kind: chosen, ...(note && { note }) });
        }}
      >
        <p id="question">
          <b>
            <WithAmount text={messages.ask[chosen]} {...{ amount, values }} />
          </b>
        </p>
        <p className="soft" id="about-question">
          {interpolate(messages.ask[`${chosen}Text`], values)}
        </p>
        <div className="cells">{field}</div>
        {error}
        <div className="choices">
          <button
            ref={focus}
            type="submit"
            className="button"
            aria-disabled={isSending}
            aria-describedby="about-question"
            // A held Enter would answer the question that it opened.
            onKeyDown={(event) => {
              if (event.repeat) event.preventDefault();
            }}
          >
            <span key={`${isSending}`}>
              {isSending ? messages.sending : <WithAmount text={messages[chosen]} amount={amount} />}
            </span>
          </button>
          <button type="button" className="button quiet" {...choosing(undefined)}>
            {messages.back}
          </button>
        </div>
      </form>
    );

  const isWaiting = standingOf(moves)?.side === 'buyer';
  const isOffering = chosen === 'offer' && can.includes('offer');
  /** A button that opens a question or the form. */
  const opening = (kind: Kind, className: string) => (
    <button
      key={kind}
      // The button that was pressed before Back.
      ref={kind === before ? focus : undefined}
      type="button"
      className={className}
      {...choosing(kind)}
    >
      <WithAmount text={kind === 'offer' && isWaiting ? messages.another : messages[kind]} amount={amount} />
    </button>
  );
  // The one solid button is the next step: none while the owner's answer is.
  const isNext = !isWaiting && !can.includes('accept');
  return (
    <>
      {can.includes('accept') && opening('accept', 'button')}
      {isOffering ? (
        <AnotherOffer
          {...{ messages, note, field, typed, setTyped, isSending, failure, error }}
          title={can.includes('accept') ? messages.orOffer : isWaiting ? messages.another : messages.offer}
          replaces={can.includes('accept') ? amount : undefined}
        />
      ) : (
        <>
          {error}
          {isNext && can.includes('offer') && opening('offer', 'button')}
        </>
      )}
      <div className="quiet-moves">
        {isOffering ? (
          <button type="button" className="link" {...choosing(undefined)}>
            {messages.back}
          </button>
        ) : (
          !isNext && can.includes('offer') && opening('offer', 'link')
        )}
        {can.includes('withdraw') && opening('withdraw', 'link soft')}
      </div>
    </>
  );
}

interface AnotherOfferProps extends Pick<Props, 'messages'> {
  title: string;
  note: string;
  /** That of the note. */
  field: ReactNode;
  /** The amount. */
  typed: string;
  setTyped: (typed: string) => void;
  /** The owner's counter-offer, which another offer ends. */
  replaces: ShownAmount | undefined;
  isSending: boolean;
  failure: string | undefined;
  error: ReactNode;
}

/** The form of another offer. Its button repeats the amount that is typed. */
function AnotherOffer({
  messages,
  title,
  note,
  field,
  typed,
  setTyped,
  replaces,
  isSending,
  failure,
  error,
}: AnotherOfferProps) {
  const shown = typed.trim();
  const send =
    shown && shown.length <= SHORT_AMOUNT ? (
      <WithAmount text={messages.sendAmount} amount={{ text: shown, isClear: true }} />
    ) : (
      messages.sendOffer
    );
  return (
    <form
      aria-labelledby="another"
      onSubmit={(event) => {
        event.preventDefault();
        void sendMove({ kind: 'offer', amount: typed, ...(note && { note }) });
      }}
    >
      <h3 id="another">{title}</h3>
      <div className="cells">
        <div className="field">
          <label htmlFor="amount">{messages.yourOffer}</label>
          <input
            ref={focus}
            id="amount"
            autoComplete="off"
            required
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            aria-invalid={(!!failure && !isOfNote(failure)) || undefined}
            aria-describedby={`amount-hint${replaces ? ' replaces' : ''}${failure ? ' move-failure' : ''}`}
          />
          <small id="amount-hint">{messages.anyAmount}</small>
        </div>
        {field}
      </div>
      {replaces && (
        <p id="replaces" className="replaces">
          <Icon name="warns" />
          <WithAmount text={messages.replaces} amount={replaces} />
        </p>
      )}
      {error}
      <button type="submit" className="button second" aria-disabled={isSending}>
        <span key={`${isSending} ${typeof send}`}>{isSending ? messages.sending : send}</span>
      </button>
    </form>
  );
}

interface NoteFieldProps extends Pick<Props, 'messages'> {
  note: string;
  setNote: (note: string) => void;
  failure: string | undefined;
}

function NoteField({ messages, note, setNote, failure }: NoteFieldProps) {
  const isWrong = failure !== undefined && isOfNote(failure);
  return (
    <div className="field">
      <label htmlFor="note">{messages.note}</label>
      <textarea
        id="note"
        value={note}
        onChange={({ target }) => setNote(target.value)}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'note-hint move-failure' : 'note-hint'}
      />
      <small id="note-hint">{messages.optional}</small>
    </div>
  );
}

function isOfNote(failure: string): boolean {
  return failure.startsWith('note_');
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}
