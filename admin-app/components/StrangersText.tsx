interface Props {
  /** What it is: the title of its column. */
  title: string;
  text: string;
}

/**
 * What a stranger wrote: shown as text, in `<bdi>`, so that it cannot reorder what stands beside it. A long one has a
 * few lines and is scrolled there, with the keyboard as well, so that no offer pushes the others off the screen.
 */
export function StrangersText({ title, text }: Props) {
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
