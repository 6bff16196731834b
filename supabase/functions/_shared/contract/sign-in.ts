/** Signing in as an administrator: payload and response of `admin-auth`. */
import * as z from 'zod/mini';

/** The payload of `admin-auth`. Lengths in UTF-16 units; GoTrue uses only 72 bytes of a password. */
export const CredentialsSchema = z.strictObject({
  email: z.string().check(z.minLength(1), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(1024)),
  /** The device token of an earlier sign-in. */
  device: z.optional(z.string().check(z.maxLength(300))),
  /** Of the second factor: six digits, or a recovery code. */
  code: z.optional(z.string().check(z.maxLength(100))),
});
export type Credentials = z.infer<typeof CredentialsSchema>;

/** The response to the right password of an administrator. */
export const SignedInSchema = z.object({
  /** A GoTrue session, by which the client gets its own. */
  session: z.looseObject({
    access_token: z.string().check(z.minLength(1)),
    refresh_token: z.string().check(z.minLength(1)),
  }),
  /** A device token, to be sent with the next sign-in on this device. */
  device: z.optional(z.string()),
  /** How many recovery codes are left, after a sign-in by one. */
  recovery_codes_left: z.optional(z.number()),
});
