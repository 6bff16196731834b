import { Fragment } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';

interface Props {
  text: string;
}

/**
 * The message that the customer added, with its lines, above the history. Each line is a `<bdi>` without direction marks, so
 * that none reorders its own text or that of another; a long one scrolls, by keyboard too.
 */
export function OfferMessage({ text }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields
    <div className="message long" role="group" aria-label="Message" tabIndex={0}>
      {withoutDirectionMarks(text)
        .split('\n')
        .map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <Fragment key={index}>
            {index > 0 && '\n'}
            <bdi>{line}</bdi>
          </Fragment>
        ))}
    </div>
  );
}
