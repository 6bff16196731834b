/** Offers as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Offer } from '#contract/offer.ts';
import { VISITOR_FIELDS, type VisitorFieldName } from '#contract/offer-fields.ts';

const COLUMNS = [
  'id',
  'domain_name',
  ...(Object.keys(VISITOR_FIELDS) as VisitorFieldName[]),
  'created_at',
  'status',
] as const satisfies (keyof Offer)[];

/** Characters that begin a formula, and those that a spreadsheet may take for them (the same under NFKC). */
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫⁺₊⁼₌﬩⩵⩶]';

/** What may stand before a sign unseen or unread: white space, quotes, control, zero-width and bidi characters. */
const UNSEEN = String.raw`["'\s\p{C}\p{Default_Ignorable_Code_Point}]*`;

/** Beginnings of a cell, also for a spreadsheet that parts cells by semicolons, as in much of Europe. */
const FORMULA = new RegExp(`(?:^|[;\\t\\r\\n])${UNSEEN}(?=${SIGN})|^${UNSEEN}?(?=[\\t\\r])`, 'gu');

/** The first line, after a mark by which spreadsheets know UTF-8. */
export function csvHead(): string {
  return `\uFEFF${COLUMNS.join(',')}\r\n`;
}

export function csvLine(offer: Offer): string {
  return `${COLUMNS.map((column) => cell(offer[column])).join(',')}\r\n`;
}

/** Makes a text inert that a spreadsheet would run as a formula: an apostrophe before it has it shown as text. */
function cell(text: string): string {
  const inert = text.replace(FORMULA, "$&'");
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
