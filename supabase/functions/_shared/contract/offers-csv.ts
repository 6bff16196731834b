/** Offers as CSV (RFC 4180), safe to open in a spreadsheet. */

import { csvCell, type Separator } from './csv-cell.ts';
import type { Offer } from './offer.ts';
import { VISITOR_COLUMNS } from './offer-fields.ts';

/**
 * An offer, with its message if it has one, the amount that counts (the offer's, or the one that was named last in a move) and, once
 * it is accepted, the agreed one.
 */
export type ExportedOffer = Offer & { message?: string; current_amount: string; agreed_amount?: string };

const COLUMNS = [
  'id',
  'domain_name',
  ...VISITOR_COLUMNS,
  'created_at',
  'status',
] as const satisfies (keyof Offer)[];

const AMOUNTS = ['current_amount', 'agreed_amount'] as const;

type Column = (typeof COLUMNS)[number] | 'message' | (typeof AMOUNTS)[number];

/** Amounts are the last columns; before them, messages, a column which a file has only if an offer has one. */
export function columnsOf(hasMessages: boolean): readonly Column[] {
  return [...COLUMNS, ...(hasMessages ? (['message'] as const) : []), ...AMOUNTS];
}

/** The first line, after a mark by which spreadsheets know UTF-8. */
export function csvHead(columns = columnsOf(false), separator: Separator = ','): string {
  return `\uFEFF${columns.join(separator)}\r\n`;
}

export function csvLine(
  offer: ExportedOffer,
  columns = columnsOf(false),
  separator: Separator = ',',
): string {
  return `${columns.map((column) => csvCell(offer[column] ?? '', separator)).join(separator)}\r\n`;
}
