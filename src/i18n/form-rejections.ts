import { REJECTIONS, type RejectionCode } from '#contract/rejections.ts';

/** Only programs or another form can cause these, so they are not translated. */
const NOT_FOR_VISITORS = [
  // The form solves the challenge that comes with it.
  // White space is accepted, and other control characters cannot be typed.
  'control_characters',
  // The owner's problem: the functions' message is that of the page.
  'bot_check_other',
  // Of the buyer's page and the dashboard.
  'link_invalid',
  'moved',
  'ended',
  'not_possible',
  'name_accepted',
  'too_many_moves',
  'mails_full',
  'not_a_pay_link',
  'pay_link_elsewhere',
  'not_a_pay_date',
  'offer_erased',
  'too_many_links',
  'session_ended',
  'method_not_allowed',
  'not_json',
  'malformed',
  'unknown_field',
  'unauthorized',
  'not_found',
  'too_many_sign_ins',
  'sign_in_busy',
  'wrong_credentials',
  'code_required',
  'wrong_code',
  'too_many_codes',
  'factor_of_other_key',
  'not_enrollable',
] as const satisfies RejectionCode[];

/** Rejections of an offer that a visitor can meet; every language has a message for each. */
export type FormRejection = Exclude<RejectionCode, (typeof NOT_FOR_VISITORS)[number]>;

/** By code, the functions' message, whose placeholders it has in every language. */
export const FORM_REJECTIONS = Object.fromEntries(
  Object.entries(REJECTIONS)
    .filter(([code]) => !NOT_FOR_VISITORS.some((one) => one === code))
    .map(([code, [, message]]) => [code, message]),
);
