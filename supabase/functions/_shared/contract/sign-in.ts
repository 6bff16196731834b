/** Signing in to the desk: what `admin-auth` takes and what it answers. */
import * as z from 'zod/mini';

/** What `admin-auth` takes. Lengths in UTF-16 units; GoTrue itself stops at 72 bytes of password. */
export const CredentialsSchema = z.strictObject({
  email: z.string().check(z.minLength(1), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(1024)),
});
export type Credentials = z.infer<typeof CredentialsSchema>;

/** The answer to a right password of an administrator: a GoTrue session, installed by the client with `setSession`. */
export const SignedInSchema = z.object({
  session: z.looseObject({
    access_token: z.string().check(z.minLength(1)),
    refresh_token: z.string().check(z.minLength(1)),
  }),
});
