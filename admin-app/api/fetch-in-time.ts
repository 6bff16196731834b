/** Longest time of a request. */
const TIMEOUT_MS = 20_000;

/** `fetch` with a timeout, which it has none of by itself. */
export function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), init?.signal].filter((signal) => signal != null);
  return fetch(input, { ...init, signal: AbortSignal.any(signals) });
}
