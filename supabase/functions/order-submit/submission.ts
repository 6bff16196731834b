import {
  isBlank,
  OFFER_LIMITS,
  type OfferSubmission,
  OfferSubmissionSchema,
} from '../_shared/contract/offer.ts';
import { forEachVisitorField } from '../_shared/contract/offer-fields.ts';
import { REJECTIONS, type RejectionCode } from '../_shared/contract/rejections.ts';
import { Rejection } from '../_shared/rejection.ts';

/** The fields as the form's labels call them. */
const FIELD_NAMES: Record<string, string> = {
  domain_name: 'the domain',
  ...forEachVisitorField(({ name }) => name),
  message: 'your message',
  turnstile_token: 'the bot check',
};

/** Longest part of an unknown field's name that is sent back. */
const MAX_UNKNOWN_FIELD_LENGTH = 40;

/**
 * Parses the body of a request.
 * @returns the offer, without a message that is blank
 * @throws Rejection for the first field that is missing, unknown or invalid
 */
export function parseSubmission(body: unknown): OfferSubmission {
  const { success, data, error } = OfferSubmissionSchema.safeParse(body);
  if (success) {
    const { message, ...offer } = data;
    return message === undefined || isBlank(message) ? offer : { ...offer, message };
  }
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const field = (issue.keys[0] ?? '').slice(0, MAX_UNKNOWN_FIELD_LENGTH);
    throw new Rejection('unknown_field', { values: { field } });
  }
  const field = String(issue?.path[0] ?? '');
  const code =
    issue && Object.hasOwn(REJECTIONS, issue.message) ? (issue.message as RejectionCode) : 'malformed';
  const max = Object.hasOwn(OFFER_LIMITS, field) ? OFFER_LIMITS[field as keyof typeof OFFER_LIMITS] : '';
  const name = FIELD_NAMES[field];
  throw new Rejection(code, {
    values: { field: name ?? 'every field', max: String(max) },
    body: name ? { field } : {},
  });
}
