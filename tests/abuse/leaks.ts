/** What must never be seen outside: the product's secrets, and a visitor's planted data. */
import { ADMIN } from '../support/product.ts';
import { dataKeys } from './data-keys.ts';
import { count } from './report.ts';

/** A visitor whose every word would be recognised in a log. */
export const PLANTED = {
  domain_name: 'lap.app',
  offer_amount: 'planted-amount-7f3a',
  customer_name: 'Planted Person 7f3a',
  customer_email: 'planted.7f3a@visitor.example',
};
const PERSONAL = [PLANTED.offer_amount, PLANTED.customer_name, PLANTED.customer_email];

/** Things of these shapes: JSON web tokens and proofs of work (both are base64 of `{"`), and secret keys. */
const TOKEN_SHAPES = /eyJ[\w-]{20,}|sb_secret_[\w-]{8,}/;

/** Keys of one data folder, and the administrator's password. */
export function secretsOf(dataDir: string): string[] {
  const { jwtSecret, secretKey } = dataKeys(dataDir);
  return [jwtSecret, secretKey, ADMIN.password];
}

/** Nothing of the secrets stands in a text, and of a visitor's data neither unless `mayNameVisitors`. */
export function assertTight(text: string, secrets: string[], where: string, mayNameVisitors = false): void {
  const found = [...secrets, ...(mayNameVisitors ? [] : PERSONAL)].filter((one) => text.includes(one));
  if (found.length === 0) return;
  count('leaks', found.length);
  // What leaked is not repeated here: a test's output is a log, too.
  throw new Error(`${where} holds ${found.length} of the secrets or of the planted texts`);
}

/** A log holds moreover nothing that looks like a token or a key. */
export function assertTightLog(log: string, secrets: string[], where: string): void {
  assertTight(log, secrets, where);
  const token = TOKEN_SHAPES.exec(log);
  if (token === null) return;
  count('leaks');
  throw new Error(`${where} holds what looks like a token, at ${token.index}`);
}
