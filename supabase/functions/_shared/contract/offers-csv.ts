/** Offers as CSV (RFC 4180), safe to open in a spreadsheet. */

import { csvCell } from './csv-cell.ts';
import type { Offer } from './offer.ts';
import { VISITOR_FIELDS, type VisitorFieldName } from './offer-fields.ts';

/** An offer, with its message if it has one. */
export type ExportedOffer = Offer & { message?: string };

const COLUMNS = [
  'id',
  'domain_name',
  ...(Object.keys(VISITOR_FIELDS) as VisitorFieldName[]),
  'created_at',
  'status',
] as const satisfies (keyof Offer)[];

type Column = (typeof COLUMNS)[number] | 'message';

/** Messages are the last column, which a file has only if an offer has one. */
export function columnsOf(hasMessages: boolean): readonly Column[] {
  return hasMessages ? [...COLUMNS, 'message'] : COLUMNS;
}

/** The first line, after a mark by which spreadsheets know UTF-8. */
export function csvHead(columns: readonly Column[] = COLUMNS): string {
  return `\uFEFF${columns.join(',')}\r\n`;
}

export function csvLine(offer: ExportedOffer, columns: readonly Column[] = COLUMNS): string {
  return `${columns.map((column) => csvCell(offer[column] ?? '')).join(',')}\r\n`;
}
