import { Fragment, type ReactNode } from 'react';

interface Props {
  text: string;
  /** Of its placeholders. */
  values: Readonly<Record<string, ReactNode>>;
}

/** A text whose placeholders may be elements. Another text is another element, as in OfferForm. */
export function Filled({ text, values }: Props) {
  const parts = text.split(/\{(\w+)\}/);
  const texts = parts.map((part, index) => (index % 2 ? values[part] : part));
  return (
    <span key={texts.filter((one) => typeof one === 'string').join('')}>
      {texts.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places
        <Fragment key={index}>{one}</Fragment>
      ))}
    </span>
  );
}
