/** Detects leaks of the product's secrets and of a visitor's planted data. */
import { ADMIN } from '../support/product.ts';
import { dataKeys } from './data-keys.ts';
import { count } from './report.ts';

/** An offer whose texts can be recognised in a log. */
export const PLANTED_OFFER = {
  domain_name: 'lap.app',
  offer_amount: 'planted-amount-7f3a',
  customer_name: 'Planted Person 7f3a',
  customer_email: 'planted.7f3a@visitor.example',
};
const PERSONAL = [PLANTED_OFFER.offer_amount, PLANTED_OFFER.customer_name, PLANTED_OFFER.customer_email];

/** JSON web tokens and proofs of work (both are base64 of `{"`), and secret keys. */
const TOKEN_SHAPES = /eyJ[\w-]{20,}|sb_secret_[\w-]{8,}/;

/** Keys of one data folder, and the administrator's password. */
export function secretsOf(dataDir: string): string[] {
  const { jwtSecret, secretKey } = dataKeys(dataDir);
  return [jwtSecret, secretKey, ADMIN.password];
}

/** Asserts that a text contains no secret, and no personal data unless `mayContainPersonalData`. */
export function assertNoSecrets(
  text: string,
  secrets: string[],
  where: string,
  mayContainPersonalData = false,
): void {
  const found = [...secrets, ...(mayContainPersonalData ? [] : PERSONAL)].filter((one) => text.includes(one));
  if (found.length === 0) return;
  count('leaks', found.length);
  // The leaked text is not repeated: the test's output is a log, too.
  throw new Error(`${where} holds ${found.length} of the secrets or of the planted texts`);
}

/** Asserts in addition that a log contains nothing that looks like a token or a key. */
export function assertNoSecretsInLog(log: string, secrets: string[], where: string): void {
  assertNoSecrets(log, secrets, where);
  const token = TOKEN_SHAPES.exec(log);
  if (token === null) return;
  count('leaks');
  throw new Error(`${where} holds what looks like a token, at ${token.index}`);
}
