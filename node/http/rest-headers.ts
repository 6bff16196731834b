import type { IncomingHttpHeaders } from 'node:http';

/** Preferences that the dashboard uses, as the data API writes them. */
const PREFERENCES: ReadonlySet<string> = new Set(['return=minimal', 'return=representation', 'count=exact']);

/** Headers that choose another schema, range or method: `public` aside, no request here has a use for them. */
const UNSUPPORTED = [
  'range',
  'content-encoding',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
] as const;

/**
 * Checks the headers that the data API would act on and returns `Prefer`, rewritten (empty without one). Undefined if a
 * header requests something unsupported.
 */
export function readPrefer(headers: IncomingHttpHeaders): string | undefined {
  if (UNSUPPORTED.some((name) => headers[name] !== undefined)) return undefined;
  for (const name of ['accept-profile', 'content-profile'] as const) {
    if (headers[name] !== undefined && headers[name] !== 'public') return undefined;
  }
  if (!acceptsJson(headers.accept)) return undefined;
  const { prefer } = headers;
  if (prefer === undefined) return '';
  const preferences = String(prefer).split(/, ?/);
  const names = preferences.map((preference) => preference.split('=')[0]);
  const known = preferences.every((preference) => PREFERENCES.has(preference));
  return known && new Set(names).size === names.length ? preferences.join(', ') : undefined;
}

/** A response is always JSON. */
function acceptsJson(accept: string | undefined): boolean {
  return (
    accept === undefined || /(?:^|,)\s*(?:application\/json|application\/\*|\*\/\*)\s*(?:;|,|$)/i.test(accept)
  );
}
