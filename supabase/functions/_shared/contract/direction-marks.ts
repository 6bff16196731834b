/** Characters that turn the direction of the text after them, so that `$1,000` may be read as `000,1$`. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** For display: the text is stored as entered. */
export function withoutDirectionMarks(text: string): string {
  return text.replace(DIRECTION_MARKS, '');
}
