import assert from 'node:assert/strict';
import type { HttpResponse } from '../support/http-client.ts';

/** Asserts what every response has, errors included. */
export function assertSecurityHeaders({ headers }: HttpResponse): void {
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.match(String(headers['referrer-policy']), /^(?:strict-origin|no-referrer|same-origin)/);
  // A day at least, the shortest that names for sale get.
  const [, seconds] = /^max-age=(\d+)/.exec(String(headers['strict-transport-security'])) ?? [];
  assert.ok(Number(seconds) >= 86_400, `strict-transport-security: ${headers['strict-transport-security']}`);
  for (const feature of ['camera', 'geolocation', 'microphone', 'payment', 'usb']) {
    assert.match(String(headers['permissions-policy']), new RegExp(`\\b${feature}=\\(\\)`));
  }
}
