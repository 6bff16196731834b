import { useState } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { shownAmountOf } from '#contract/shown-amount.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { type NegotiationState, sendMove } from '../stores/negotiation.ts';
import { WithAmount } from './WithAmount.tsx';

interface Props {
  state: Extract<NegotiationState, { status: 'shown' }>;
  messages: NegotiationMessages;
  language: string;
  owner: string;
  /** The domain's decoded name. */
  name: string;
}

const KINDS = ['accept', 'offer', 'withdraw'] as const;
type Kind = (typeof KINDS)[number];

/** The buyer's moves. Each is sent after a question, which takes the place of the buttons. */
export function BuyerMoves({ state, messages, language, owner, name }: Props) {
  const [asked, ask] = useState<Kind>();
  const [before, setBefore] = useState<Kind>();
  const { negotiation, isSending, failure } = state;
  const { can, moves } = negotiation;
  const amount = shownAmountOf(moves, language);
  const values = { domain: name, owner };
  const texts: Record<string, string> = messages.failures;
  const error = failure && (
    <p id="move-failure" className="error" role="alert">
      {texts[failure] ?? messages.failures.unexpected}
    </p>
  );
  const possible = KINDS.filter((kind) => can.includes(kind));
  if (possible.length === 0) return error;
  const labels = {
    accept: <WithAmount text={messages.accept} amount={amount} />,
    offer: messages.offer,
    withdraw: messages.withdraw,
  };

  // After an end date has passed, an acceptance is no longer possible.
  if (asked && can.includes(asked)) {
    const { ask: questions } = messages;
    const question = <WithAmount text={questions[asked]} {...{ amount, values }} />;
    const isOffer = asked === 'offer';
    return (
      <form
        aria-labelledby="question"
        onSubmit={(event) => {
          event.preventDefault();
          const amount = String(new FormData(event.currentTarget).get('amount') ?? '');
          void sendMove({ kind: asked, ...(isOffer && { amount }) });
        }}
      >
        {isOffer ? (
          <label id="question" htmlFor="amount">
            {question}
          </label>
        ) : (
          <p id="question">
            <b>{question}</b>
          </p>
        )}
        <p className="soft" id="about-question">
          {isOffer ? questions.offerHint : interpolate(questions[`${asked}Text`], values)}
        </p>
        {isOffer && (
          <input
            ref={focus}
            id="amount"
            name="amount"
            className="input"
            autoComplete="off"
            required
            aria-invalid={!!failure || undefined}
            aria-describedby={failure ? 'about-question move-failure' : 'about-question'}
          />
        )}
        {error}
        <div className="choices">
          <button
            ref={isOffer ? undefined : focus}
            type="submit"
            className="button"
            aria-disabled={isSending}
            aria-describedby="about-question"
          >
            <span key={`${isSending}`}>
              {isSending ? messages.sending : isOffer ? questions.offerSend : labels[asked]}
            </span>
          </button>
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              setBefore(asked);
              ask(undefined);
            }}
          >
            {messages.back}
          </button>
        </div>
      </form>
    );
  }

  return (
    <>
      {error}
      <div className="choices">
        {possible.map((kind, index) => (
          <button
            key={kind}
            // The button that was pressed before Back.
            ref={kind === before ? focus : undefined}
            type="button"
            className={kind === 'withdraw' ? 'link' : index === 0 ? 'button' : 'button quiet'}
            onClick={() => ask(kind)}
          >
            {labels[kind]}
          </button>
        ))}
        <small>{messages.once}</small>
      </div>
    </>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}
