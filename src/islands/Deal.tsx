import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { type Deal as Agreed, DEAL_STEPS, type Negotiation } from '#contract/negotiation.ts';
import { shownMove, standingOf } from '#contract/shown-amount.ts';
import { sizeOf } from '../domain-name/size-of.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { DealSteps } from './DealSteps.tsx';
import { Filled } from './Filled.tsx';
import { Icon } from './Icon.tsx';
import { OwnersText } from './OwnersText.tsx';
import { payBy } from './pay-by.ts';
import { ToPay } from './ToPay.tsx';
import { Zone } from './Zone.tsx';

interface Props {
  negotiation: Negotiation;
  deal: Agreed;
  messages: NegotiationMessages;
  language: string;
  owner: string;
  /** The domain's decoded name. */
  name: string;
  /** Takes the place of an earlier state. */
  isNext: boolean;
  /** Stands at the end of the first box. */
  children: ReactNode;
}

/** What was agreed, how it is paid, and what has happened since. */
export function Deal({ negotiation, deal, messages, language, owner, name, isNext, children }: Props) {
  const { deal: texts } = messages;
  const { after_payment } = negotiation;
  const stage = DEAL_STEPS.findLast((step) => deal[`${step}_at`]) ?? 'agreed';
  // Of an acceptance by hand there is no move.
  const agreed = { ...standingOf(negotiation.moves), kind: 'accept' };
  const amount = shownMove(agreed, language);
  const translated = amount.isClear ? 'no' : undefined;
  const until = deal.pay_by ? payBy(deal.pay_by, language) : undefined;
  const values = {
    owner,
    domain: (
      <bdi dir="ltr" translate="no">
        {name}
      </bdi>
    ),
    amount: <bdi translate={translated}>{amount.text}</bdi>,
  };
  const title = useTitle(negotiation, isNext);
  const [first] = useState(stage);
  const stageText = <Filled text={texts.stages[stage]} {...{ values }} />;

  return (
    <>
      <section className="now" aria-labelledby="now-title">
        <h2 id="now-title" tabIndex={-1} ref={title}>
          <Icon name="done" />
          {stageText}
        </h2>
        <p className="amount" data-size={sizeOf(amount.text)} translate={translated}>
          {amount.text}
        </p>
        {stage === 'agreed' ? (
          <>
            {until && (
              <p className="until">
                <b>
                  <Filled text={texts.payBy} values={{ date: until.text }} />
                </b>{' '}
                <span key={until.days} className="left">
                  {daysText(until.days, messages)}
                </span>
              </p>
            )}
            <ToPay {...{ negotiation, deal, messages, language, owner, agreed, amount, values }} />
          </>
        ) : (
          <p>
            <Filled text={texts.next[stage]} {...{ values }} />
          </p>
        )}
        {children}
      </section>
      <section className="stand" aria-labelledby="stand-title">
        <h2 id="stand-title">{texts.title}</h2>
        <DealSteps {...{ deal, language, values }} messages={texts} date={until?.text} />
        <Zone text={messages.zone} language={language} />
        {/* Reads aloud what the owner has ticked while the page was open. */}
        <p className="for-readers" role="status">
          {stage !== first && stageText}
        </p>
      </section>
      {after_payment && stage !== 'sold' && (
        <section className="after" aria-labelledby="after-title">
          <h2 id="after-title">{texts.after}</h2>
          <OwnersText html={after_payment} {...{ negotiation, language }} />
        </section>
      )}
    </>
  );
}

/** Gives the focus to the title after a move, and where a change has removed the element that had it. */
function useTitle(negotiation: Negotiation, isNext: boolean) {
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef<Negotiation>(undefined);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (before.current ? activeElement === document.body : isNext)
      title.current?.focus({ preventScroll: before.current !== undefined });
    before.current = negotiation;
  }, [negotiation, isNext]);
  return title;
}

function daysText(days: number, { left, deal }: NegotiationMessages): string {
  if (days < 0) return deal.past;
  return days === 0 ? deal.today : interpolate(days === 1 ? left.day : left.days, { count: days });
}
