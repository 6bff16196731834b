import type { IncomingHttpHeaders } from 'node:http';

/** Preferences that supabase-js has for these requests, as the data API writes them. */
const PREFERENCES: ReadonlySet<string> = new Set(['return=minimal', 'return=representation', 'count=exact']);

/** Headers that choose another schema, range or method: `public` aside, no request here has a use for them. */
const UNSUPPORTED = [
  'range',
  'content-encoding',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
] as const;

/** A response is always JSON. */
const ACCEPTS_JSON = /(?:^|,)\s*(?:application\/json|application\/\*|\*\/\*)\s*(?:;|,|$)/i;

/**
 * Checks the headers that the data API would act on and returns `Prefer`, rewritten (empty without one). Undefined if a
 * header requests something unsupported.
 */
export function readPrefer(headers: IncomingHttpHeaders): string | undefined {
  if (UNSUPPORTED.some((name) => headers[name] !== undefined)) return undefined;
  const { 'accept-profile': read = 'public', 'content-profile': written = 'public' } = headers;
  if (read !== 'public' || written !== 'public' || !ACCEPTS_JSON.test(headers.accept ?? '*/*'))
    return undefined;
  if (headers.prefer === undefined) return '';
  const preferences = String(headers.prefer).split(/, ?/);
  const names = new Set(preferences.map((preference) => preference.split('=')[0]));
  const known = preferences.every((preference) => PREFERENCES.has(preference));
  return known && names.size === preferences.length ? preferences.join(', ') : undefined;
}
