/**
 * Every rejection of the functions: a code for programs, the HTTP status, and the message that the user sees, in which
 * the function replaces the placeholders `{…}`.
 */
import * as z from 'zod/mini';

export const REJECTIONS = {
  method_not_allowed: [405, 'This address takes {method} requests only.'],
  foreign_origin: [403, 'This is answered on the site itself only. Please open the domain and use its form.'],
  not_json: [415, 'Please send JSON, with the header Content-Type: application/json.'],
  too_large: [413, 'That is more than this form takes. Please shorten your texts.'],
  too_slow: [408, 'Your connection was too slow to send the form. Please try again.'],
  malformed: [400, 'That was not readable as JSON in UTF-8. Please send an object with the form’s fields.'],
  unknown_field: [400, 'The field “{field}” is not known here. Please send the form’s fields only.'],
  missing: [400, 'Please fill in {field}.'],
  too_long: [400, 'Please shorten {field} to {max} characters.'],
  not_plain_text: [400, 'Please remove line breaks and control characters from {field}.'],
  control_characters: [400, 'Please remove control characters from {field}.'],
  not_an_email: [400, 'Please enter an email address like name@example.com.'],
  unknown_domain: [
    422,
    'This domain is not for sale here (any more). Please reload the page and choose another.',
  ],
  domain_sold: [410, 'This domain has been sold. Please reload the page and choose another.'],
  domain_reserved: [
    410,
    'This domain is reserved and takes no offers at the moment. Please reload the page and choose another.',
  ],
  bot_check_failed: [403, 'The bot check did not accept this browser. Please try again.'],
  /** The page has the other provider: its owner set the key of Turnstile on one side only. */
  bot_check_other: [403, 'CAPTCHA failed to load. Please refresh.'],
  bot_check_expired: [403, 'The bot check has expired. Please submit again.'],
  bot_check_used: [409, 'This bot check was already used for another offer. Please submit again.'],
  bot_check_unavailable: [
    503,
    'The bot check cannot be reached at the moment. Please try again in a minute.',
  ],
  too_many_offers: [429, 'Too many offers at once. Please try again in {minutes}.'],
  /** Sold, erased, replaced, never existed: one response for all, which does not reveal the reason. */
  link_invalid: [404, 'This link is not valid any more. Please write to the seller.'],
  moved: [409, 'The other side was first. Please read the newest move and try again.'],
  ended: [409, 'This offer has ended. Please make another one.'],
  not_possible: [409, 'This is not possible any more. Please reload the page.'],
  name_accepted: [
    409,
    'Another offer for this domain is accepted already, that of {name}. Take that back first.',
  ],
  too_many_moves: [429, 'There are too many moves. Please write an email instead.'],
  mails_full: [
    429,
    'The mails to buyers of one day are used up. Please try again tomorrow, or write an email instead.',
  ],
  not_a_pay_link: [
    400,
    'This is no address of a payment page. Paste one that begins with https://, without a user name, of at most {max} characters.',
  ],
  pay_link_elsewhere: [
    400,
    'A link to {host} is not allowed. Paste one to {hosts}, or add {host} to checkoutHosts in the settings of the catalogue.',
  ],
  not_a_pay_date: [400, 'Please choose a date from today to a year from now.'],
  offer_erased: [404, 'This offer was erased. Please reload the page.'],
  too_many_links: [429, 'Too many calls with links. Please try again in {minutes}.'],
  session_ended: [401, 'Your session has ended. Please sign in again.'],
  too_many_sign_ins: [429, 'Too many attempts to sign in. Please try again in {minutes}.'],
  /** The queue is full. */
  sign_in_busy: [503, 'Too many people are signing in at the moment. Please try again in a minute.'],
  wrong_credentials: [401, 'Invalid email or password.'],
  /** The password was right, and the account has a second factor. */
  code_required: [401, 'Enter the code from your authenticator app.'],
  wrong_code: [401, 'This code is not valid. Codes change every 30 seconds.'],
  too_many_codes: [
    429,
    'Too many wrong codes in 24 hours. Enter a recovery code, or run npm run admin -- password EMAIL on the server.',
  ],
  factor_of_other_key: [
    401,
    'Your second factor was made with another secret key and cannot be checked. Run npm run admin -- factor EMAIL --remove on the server, then npm run admin -- factor EMAIL.',
  ],
  not_enrollable: [409, 'This account is no administrator, or has a second factor already.'],
  unavailable: [503, 'This cannot be done at the moment. Please try again in a minute.'],
  unauthorized: [401, 'The public key is missing or wrong. Please reload the page.'],
  not_found: [404, 'There is no function of this name.'],
  internal: [500, 'Something went wrong on our side. Please try again in a minute.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RejectionCode = keyof typeof REJECTIONS;

/** The body of every response that is not a success. */
const RejectionBodySchema = z.object({
  /** The message for the user. */
  error: z.string().check(z.minLength(1)),
  /** A snake_case word for programs; see `REJECTIONS`. */
  code: z.optional(z.string()),
  /** The request's field that the rejection is about, if it is about one. */
  field: z.optional(z.string()),
  /** In how many minutes the request may be sent again, where the message has it. */
  minutes: z.optional(z.number()),
  /** With `moved`: the negotiation as it is now; see `NegotiationSchema`. */
  state: z.optional(z.unknown()),
  /** Identifies the request in the server's log. */
  request_id: z.optional(z.string()),
});
export type RejectionBody = z.infer<typeof RejectionBodySchema>;

/** The message is read also where another field is not as above. */
const ErrorTextSchema = z.object({ error: RejectionBodySchema.shape.error });

/**
 * Reads the body of a response that is not a success; empty where it has no message. The error of another backend may be
 * an object: `{ error: { message } }`.
 */
export function readRejection(body: unknown): Partial<RejectionBody> {
  const { data } = z.safeParse(z.looseObject({ error: z.object({ message: z.string() }) }), body);
  const flat = data ? { ...data, error: data.error.message } : body;
  return z.safeParse(RejectionBodySchema, flat).data ?? z.safeParse(ErrorTextSchema, flat).data ?? {};
}
