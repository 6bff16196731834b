/**
 * Fetches for clients that send a secret key: a redirect is an error, because the key would be sent on to wherever it
 * leads (fetch removes `authorization` on the way to another origin, and keeps `apikey`).
 */
export const fetchWithoutRedirect: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'error' });
