/** Cells of CSV (RFC 4180) that are safe to open in a spreadsheet. */

/** Characters that begin a formula, and those that a spreadsheet may take for them (the same under NFKC). */
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁺₊⁼₌﬩⩵⩶]';

/** What may stand before a sign unseen or unread: white space, quotes, control, zero-width and bidi characters. */
const UNSEEN = String.raw`["'\s\p{C}\p{Default_Ignorable_Code_Point}]*`;

/** Beginnings of a cell, also for a spreadsheet that parts cells by semicolons, as in much of Europe. */
const FORMULA = new RegExp(`(?:^|[;\\t\\r\\n])${UNSEEN}(?=${SIGN})|^${UNSEEN}?(?=[\\t\\r])`, 'gu');

/** The same beginnings with the apostrophe that `csvCell` writes. */
const INERT = new RegExp(`((?:^|[;\\t\\r\\n])${UNSEEN})'(?=${SIGN})|^(${UNSEEN}?)'(?=[\\t\\r])`, 'gu');

/** Makes a text inert that a spreadsheet would run as a formula: an apostrophe before it has it shown as text. */
export function csvCell(text: string): string {
  const inert = text.replace(FORMULA, "$&'");
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Takes back what `csvCell` did, once the quotes of CSV are gone. */
export function withoutInertMarks(cell: string): string {
  return cell.replace(INERT, '$1$2');
}
