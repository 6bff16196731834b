import { interpolate } from '#contract/interpolate.ts';
import type { ShownAmount } from '#contract/shown-amount.ts';

interface Props {
  /** With `{amount}`. */
  text: string;
  amount: ShownAmount;
  /** Of its other placeholders. */
  values?: Record<string, string>;
}

/** A text with an amount, which translators leave as it is where it is clear. Another text is another element, as in OfferForm. */
export function WithAmount({ text, amount, values }: Props) {
  const [before, after] = interpolate(text, { ...values, amount: '{amount}' }).split('{amount}');
  return (
    <span key={`${before}${amount.text}${after}`}>
      {before}
      {after !== undefined && <bdi translate={amount.isClear ? 'no' : undefined}>{amount.text}</bdi>}
      {after}
    </span>
  );
}
