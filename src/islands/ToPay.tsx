import type { ReactNode } from 'react';
import type { Deal, Negotiation } from '#contract/negotiation.ts';
import type { Price } from '#contract/price-of.ts';
import { priceIn, type ShownAmount, type StoredAmount } from '#contract/shown-amount.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { Filled } from './Filled.tsx';
import { filledIn } from './filled-in.ts';
import { Icon } from './Icon.tsx';
import { OwnersText } from './OwnersText.tsx';
import { PaymentLines } from './PaymentLines.tsx';
import { paymentLines } from './payment-lines.ts';

interface Props {
  negotiation: Negotiation;
  deal: Deal;
  messages: NegotiationMessages;
  language: string;
  owner: string;
  agreed: StoredAmount;
  /** The same as it is shown. */
  amount: ShownAmount;
  /** Of the texts' placeholders. */
  values: Readonly<Record<string, ReactNode>>;
}

/** The button that pays; where there is none, what is typed into a payment, with the closing text. */
export function ToPay({ negotiation, deal, messages, language, owner, agreed, amount, values }: Props) {
  const { deal: texts } = messages;
  const { closing } = negotiation;
  const price = amount.isClear ? priceIn(agreed) : undefined;
  const reference = {
    label: texts.reference,
    value: deal.reference,
    hint: (
      <Filled text={texts.why} values={{ owner: owner === messages.theOwner ? texts.theOwner : owner }} />
    ),
  };
  if (deal.pay && price) {
    const { url, host } = deal.pay;
    const filled = filledIn(deal, price);
    const what = filled.amount
      ? filled.reference
        ? 'both'
        : 'amount'
      : filled.reference
        ? 'reference'
        : 'none';
    return (
      <>
        <a className="button" href={url} target="_blank" rel="noopener">
          <Filled text={texts.pay} {...{ values }} />
          <Icon name="opens" />
        </a>
        <p className="opens">
          <Icon name="lock" />
          <Filled
            text={`${texts.opens} ${texts.filled[what]}`}
            values={{
              ...values,
              host: (
                <bdi dir="ltr" translate="no">
                  {host}
                </bdi>
              ),
              reference: <b translate="no">{deal.reference}</b>,
            }}
          />
        </p>
        {!filled.reference && <PaymentLines lines={[reference]} messages={texts} />}
      </>
    );
  }

  const money = price && moneyIn(price, language);
  const lines = [
    reference,
    ...(closing
      ? [{ label: texts.amount, value: money?.text ?? amount.text, copied: money?.digits, isWords: !money }]
      : []),
  ];
  const isShown = ({ value }: { value: string }) => value === deal.reference || value === amount.text;
  return (
    <>
      <PaymentLines {...{ lines }} messages={texts} />
      {closing ? (
        paymentLines(closing).map((part, index) =>
          typeof part === 'string' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places
            <OwnersText key={index} html={part} {...{ negotiation, language }} />
          ) : (
            <PaymentLines
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              key={index}
              lines={part.filter((line) => !isShown(line))}
              messages={texts}
            />
          ),
        )
      ) : (
        <p>{messages.closing}</p>
      )}
    </>
  );
}

/** An amount with its decimals; `digits` alone as the fields of banks take them. */
function moneyIn({ amount, currency }: Price, language: string) {
  // As the currency has them, but none is rounded away.
  const digits = amount.includes('.') ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : {};
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, ...digits });
  const parts = format.formatToParts(Number(amount));
  const join = (some: typeof parts) => some.map(({ value }) => value).join('');
  return {
    text: join(parts),
    digits: join(parts.filter(({ type }) => type === 'integer' || type === 'decimal' || type === 'fraction')),
  };
}
