import assert from 'node:assert/strict';
import type { Answer } from '../support/exchange.ts';
import { count } from './report.ts';

/** Counts a bad input. Whatever it was, the answer may not be the server's failure. */
export async function badInput(what: string, answering: Promise<Answer>): Promise<Answer> {
  count('badInputs');
  const answer = await answering;
  if (answer.status >= 500) count('serverErrors');
  assert.ok(answer.status < 500, `${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer;
}
