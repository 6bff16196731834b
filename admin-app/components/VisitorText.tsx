import { withoutDirectionMarks } from '#contract/direction-marks.ts';

interface Props {
  /** The title of its column, as accessible label. */
  title: string;
  text: string;
}

/**
 * A text written by a visitor, in `<bdi>` and without direction marks, so that it reorders neither the text beside it nor
 * its own amount. A long text scrolls within a few
 * lines, by keyboard too, so that it does not push other offers off the screen.
 */
export function VisitorText({ title, text: typed }: Props) {
  const text = withoutDirectionMarks(typed);
  if (text.length <= SHORT_TEXT_LENGTH) return <bdi>{text}</bdi>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields
    <bdi className="long" role="group" aria-label={title} tabIndex={0}>
      {text}
    </bdi>
  );
}

/** In UTF-16 units; up to it, even wide letters in a narrow column need little more than the lines of a row. */
const SHORT_TEXT_LENGTH = 80;
