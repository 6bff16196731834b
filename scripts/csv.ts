/** Offers as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Offer } from '#contract/offer.ts';

const COLUMNS = [
  'id',
  'domain_name',
  'offer_amount',
  'customer_name',
  'customer_email',
  'created_at',
  'status',
] as const satisfies (keyof Offer)[];

/** The first line, after a mark by which spreadsheets know UTF-8. */
export function csvHead(): string {
  return `\uFEFF${COLUMNS.join(',')}\r\n`;
}

export function csvLine(offer: Offer): string {
  return `${COLUMNS.map((column) => cell(offer[column])).join(',')}\r\n`;
}

/**
 * What a spreadsheet would take for a formula begins with an apostrophe instead, and is shown as text: at the beginning
 * of the cell, and where one begins for a spreadsheet that parts cells by semicolons, as in much of Europe.
 */
function cell(text: string): string {
  const inert = text.replace(/(?:^|[;\t\r\n])["'\s]*(?=[=+\-@])|^(?=[\t\r])/g, "$&'");
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
