import { timeoutSignal } from '../../src/api/timeout-signal.ts';

/** Longest time of a request. */
const TIMEOUT_MS = 20_000;

/** `fetch` with a timeout, which it has none of by itself. */
export function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return fetch(input, { ...init, signal: timeoutSignal(TIMEOUT_MS, init?.signal) });
}
