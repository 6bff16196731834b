import { isoTime } from '#contract/iso-time.ts';
import { formatDate } from './format-date.ts';

/** @param at as the data API wrote it */
export function DateTime({ at }: { at: string }) {
  return <time dateTime={isoTime(at)}>{formatDate(at)}</time>;
}
