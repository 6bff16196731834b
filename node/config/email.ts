import * as z from 'zod/mini';

/** The longest email that the sign-in form and `admin-auth` accept, in characters. */
const MAX_LENGTH = 254;

const EmailSchema = z.email({ pattern: z.regexes.html5Email });

/** Whether a text is an email as the sign-in form accepts it. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EmailSchema.safeParse(text).success;
}
