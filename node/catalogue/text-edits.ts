/** A part of a text, by offsets, and what replaces it. An insertion has `end` equal to `start`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. Those at one offset are applied in the order of the list. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const offsets = [0, ...sorted.map(({ end }) => end)];
  const parts = sorted.map((edit, index) => text.slice(offsets[index], edit.start) + edit.text);
  return parts.join('') + text.slice(offsets.at(-1));
}

/** Offset of the first character of the line. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Offset of the line’s end, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** Offset of the next line, or of the end of the text. */
export function nextLine(text: string, offset: number): number {
  return Math.min(lineEnd(text, offset) + 1, text.length);
}
