/**
 * Checks a hosted project from outside, with the public key, as visitors and the administrator reach it: every route of
 * the allow-list, what must be rejected, sign-in, and an offer that is removed afterwards. The secret key reads the rights
 * in the database. Safe to repeat.
 */
import { checkAccess } from './check-access.ts';
import { checkAdministrator } from './check-administrator.ts';
import { checkAuthSettings } from './check-auth-settings.ts';
import { checkFunctions } from './check-functions.ts';
import { checkOffer } from './check-offer.ts';
import { checkVisitor } from './check-visitor.ts';
import type { Finding } from './findings.ts';
import type { OutsideCheckOptions } from './options.ts';
import { createSend } from './requests.ts';

/** Yields what was found, check by check. */
export async function* checkFromOutside(options: OutsideCheckOptions): AsyncGenerator<Finding> {
  const send = createSend(options);
  if (!(yield* checkAuthSettings(send))) return;
  const canErase = yield* checkAccess(options.project);
  yield* checkVisitor(send);
  yield* checkFunctions(send, options);
  yield* checkAdministrator(send, options);
  yield await checkOffer(send, options, canErase);
}
