import type { ReactNode } from 'react';
import { DEAL_STEPS, type Deal } from '#contract/negotiation.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { Filled } from './Filled.tsx';
import { Icon } from './Icon.tsx';
import { timeText } from './time-text.ts';

const STEPS = ['agreed', ...DEAL_STEPS] as const;

interface Props {
  deal: Deal;
  messages: NegotiationMessages['deal'];
  language: string;
  /** Of the texts' placeholders. */
  values: Readonly<Record<string, ReactNode>>;
  /** "Pay by" in words. */
  date?: string | undefined;
}

/** The steps of a deal: when each was done, which one is next. */
export function DealSteps({ deal, messages, language, values, date }: Props) {
  const present = STEPS.find((step) => !deal[`${step}_at`]);
  return (
    <ol>
      {STEPS.map((step) => {
        const at = deal[`${step}_at`];
        const hint = step === 'paid' ? date && messages.by : step === 'sold' && messages.confirm;
        return (
          <li
            key={step}
            className={at ? 'done' : undefined}
            aria-current={step === present ? 'step' : undefined}
          >
            <Icon name="done" />
            <b>
              <Filled text={messages[at ? 'done' : 'steps'][step]} {...{ values }} />
            </b>
            {at ? (
              <time key={at} dateTime={at}>
                {timeText(at, language, 'short')}
              </time>
            ) : (
              hint && (
                <small>
                  <Filled text={hint} values={{ date }} />
                </small>
              )
            )}
          </li>
        );
      })}
    </ol>
  );
}
