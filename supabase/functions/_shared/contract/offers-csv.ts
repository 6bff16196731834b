/** Offers as CSV (RFC 4180), safe to open in a spreadsheet. */

import { csvCell, type Separator } from './csv-cell.ts';
import type { Offer } from './offer.ts';
import { VISITOR_COLUMNS } from './offer-fields.ts';

/**
 * An offer, with its message if it has one, the amount that counts (the offer's, or the one that was named last in a move), the
 * agreed one, what was read in both, and the deal in force.
 */
export type ExportedOffer = Offer & {
  message?: string;
  current_amount: string;
  current_value?: number | null | undefined;
  current_currency?: string | null | undefined;
  agreed_amount?: string | undefined;
  agreed_value?: number | null | undefined;
  agreed_currency?: string | null | undefined;
} & { readonly [Field in (typeof DEAL)[number]]?: string | null | undefined };

const COLUMNS = [
  'id',
  'domain_name',
  ...VISITOR_COLUMNS,
  'created_at',
  'status',
] as const satisfies (keyof Offer)[];

const DEAL = ['reference', 'pay_by', 'paid_at', 'transferred_at', 'sold_at'] as const;

const AMOUNTS = [
  ...(['current_amount', 'agreed_amount', 'value', 'currency'] as const),
  ...(['current_value', 'current_currency', 'agreed_value', 'agreed_currency'] as const),
];

type Column = (typeof COLUMNS)[number] | 'message' | (typeof AMOUNTS)[number] | (typeof DEAL)[number];

/** Amounts and the deal are the last columns; before them, messages, a column which a file has only if an offer has one. */
export function columnsOf(hasMessages: boolean): readonly Column[] {
  return [...COLUMNS, ...(hasMessages ? (['message'] as const) : []), ...AMOUNTS, ...DEAL];
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
  const cells = columns.map((column) => {
    const cell = offer[column] ?? '';
    // A number below zero is no formula.
    return typeof cell === 'number' ? String(cell) : csvCell(cell, separator);
  });
  return `${cells.join(separator)}\r\n`;
}
