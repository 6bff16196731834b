/** What every function does around its handler: preflight, origin, method, public key, log, and an answer always. */
import { verifyAuth } from '@supabase/server/core';
import { allowOrigin, preflight, refuse, requestId } from './answer.ts';
import type { SiteHosts } from './contract/hosts.ts';
import { logRequest } from './log.ts';
import { isOwnOrigin } from './own-origin.ts';
import type { Settings } from './settings.ts';

export type Handler = (request: Request) => Promise<Response>;

export interface Surroundings {
  /** The function's name, for the log. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly site: SiteHosts;
  readonly settings: Settings;
}

/** The form that `export default` of a function has, on a hosted project and embedded. */
export function serveFunction(surroundings: Surroundings, handler: Handler): { fetch: Handler } {
  return {
    fetch: async (request) => {
      const started = performance.now();
      let response: Response;
      try {
        response = await guard(surroundings, handler, request);
      } catch (error) {
        // A throw would leave without CORS headers, and the browser would see no more than a network error.
        console.error(
          JSON.stringify({ event: 'thrown', request_id: requestId(request), reason: reasonOf(error) }),
        );
        response = refuse(request, 'internal');
      }
      logRequest(surroundings.name, request, response, performance.now() - started);
      return response;
    },
  };
}

async function guard(surroundings: Surroundings, handler: Handler, request: Request): Promise<Response> {
  const { site, settings, method } = surroundings;
  const origin = request.headers.get('origin');
  if (origin !== null) {
    if (!isOwnOrigin(origin, site)) return refuse(request, 'foreign_origin');
    allowOrigin(request, origin);
  }
  if (request.method === 'OPTIONS') return preflight(request);
  if (request.method !== method) return refuse(request, 'method_not_allowed', { method }, { allow: method });
  if (settings.problem) {
    console.error(JSON.stringify({ event: 'not_configured', reason: settings.problem }));
    return refuse(request, 'unavailable', {}, { 'retry-after': '60' });
  }
  const { error } = await verifyAuth(request, { auth: 'publishable' });
  if (error) return refuse(request, error.status >= 500 ? 'unavailable' : 'unauthorized');
  return await handler(request);
}

/** Names the kind of error; its message may hold what a visitor typed. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
