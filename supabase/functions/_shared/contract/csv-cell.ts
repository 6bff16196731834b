/** Cells of CSV (RFC 4180) that are safe to open in a spreadsheet. */

/** Characters that begin a formula, and those that a spreadsheet may take for them (the same under NFKC). */
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁺₊⁼₌﬩⩵⩶]';

/** What may stand before a sign unseen or unread: white space, quotes (also a wide one), control, zero-width and bidi characters. */
const UNSEEN = String.raw`["＂'\s\p{C}\p{Default_Ignorable_Code_Point}]`;

/**
 * What may be the beginning of a cell, with its sign: also for a spreadsheet that parts cells by semicolons, as in much of
 * Europe. Matches each run of unseen characters as a whole, so that a long one is read once.
 */
const BEGINNING = new RegExp(`((?:;|^|${UNSEEN})${UNSEEN}*)(${SIGN}?)`, 'gu');

/** What may stand between cells: a comma, or a semicolon, which spreadsheets expect where decimals have a comma. */
export type Separator = ',' | ';';

/** Makes a text inert that a spreadsheet would run as a formula: an apostrophe before it has it shown as text. */
export function csvCell(text: string, separator: Separator = ','): string {
  const inert = text.replace(BEGINNING, (whole, unseen: string, sign: string, at: number) => {
    if (sign !== '') return beginsCell(unseen, at) ? `${unseen}'${sign}` : whole;
    return isFirst(unseen, at) ? unseen.replace(/[\t\r]/, "'$&") : whole;
  });
  return /["\r\n]/.test(inert) || inert.includes(separator) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Takes back what `csvCell` did, once the quotes of CSV are gone. */
export function withoutInertMarks(cell: string): string {
  return cell.replace(BEGINNING, (whole, unseen: string, sign: string, at: number) => {
    if (sign !== '' && unseen.endsWith("'") && beginsCell(unseen, at)) return unseen.slice(0, -1) + sign;
    return isFirst(unseen, at) ? unseen.replace(/'(?=[\t\r])/, '') + sign : whole;
  });
}

function isFirst(unseen: string, at: number): boolean {
  return at === 0 && !unseen.startsWith(';');
}

function beginsCell(unseen: string, at: number): boolean {
  return at === 0 || /[;\t\r\n]/.test(unseen);
}
