import { interpolate } from '#contract/interpolate.ts';
import { forEachVisitorField, MAX_MESSAGE } from '#contract/offer-fields.ts';
import type { Failure } from '../stores/offer.ts';

const limits: Record<string, number> = { ...forEachVisitorField(({ max }) => max), message: MAX_MESSAGE };

/**
 * The message of a rejected offer: that of the page for a known code, otherwise the function's own, if it has one.
 * @param rejections by code; none where the page is in the functions' own language
 */
export function failureMessage(
  { code = '', error, field = '', minutes = 0 }: Extract<Failure, { reason: 'rejected' }>,
  labels: Record<string, string>,
  rejections: Record<string, string> = {},
): string | undefined {
  return Object.hasOwn(rejections, code)
    ? interpolate(rejections[code] ?? '', { field: labels[field] ?? field, max: limits[field] ?? 0, minutes })
    : error;
}
