import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';

/** The rows of a range, and one more wherever it is, in order. */
export function withRow(range: Range, row: number | undefined): number[] {
  const rows = defaultRangeExtractor(range);
  if (row === undefined || !(row < range.count) || rows.includes(row)) return rows;
  return [...rows, row].sort((a, b) => a - b);
}
