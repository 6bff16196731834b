import assert from 'node:assert/strict';
import type { HttpResponse } from '../support/http-client.ts';
import { count } from './report.ts';

/** Counts a bad input and asserts that the response is no server error. */
export async function badInput(what: string, pending: Promise<HttpResponse>): Promise<HttpResponse> {
  count('badInputs');
  const response = await pending;
  if (response.status >= 500) count('serverErrors');
  assert.ok(response.status < 500, `${what} got ${response.status}: ${response.text.slice(0, 300)}`);
  return response;
}
