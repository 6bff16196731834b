/** Most characters of a file's text that a message repeats. */
const MAX_SHOWN = 60;

/** On one line, in quotes, without most of a long text, and with codes in place of characters that cannot be seen. */
export function quoted(text: string): string {
  const line = shortened(text.trim().replace(/\s+/g, ' '));
  return JSON.stringify(line).replace(
    /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu,
    (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`,
  );
}

/** Without most of a long text. */
export function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
