import { EMAIL_PATTERN } from '#contract/email-pattern.ts';

/** The longest email that the sign-in form and `admin-auth` accept, in characters. */
const MAX_LENGTH = 254;

/** Whether a text is an email as the sign-in form accepts it. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL_PATTERN.test(text);
}
