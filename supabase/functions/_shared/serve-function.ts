/** What every function does around its handler: origin, preflight, method, public key, log, and always a response. */
import { verifyAuth } from '@supabase/server/core';
import { allowOrigin, preflight, refuse, requestId } from './answer.ts';
import { isAdminHost, isOwnHost, type SiteHosts } from './contract/hosts.ts';
import { hostOfOrigin } from './host-of-origin.ts';
import { logError, logRequest } from './log.ts';
import type { Settings } from './settings.ts';

export type Handler = (request: Request) => Promise<Response>;

export interface FunctionOptions {
  /** The function's name, for the log. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Whether only pages of the admin host may call it; otherwise those of every host of the site. */
  readonly adminOnly?: boolean;
  readonly site: SiteHosts;
  readonly settings: Settings;
}

/** The form that `export default` of a function has, on a hosted project and embedded. */
export function serveFunction(options: FunctionOptions, handler: Handler): { fetch: Handler } {
  return {
    fetch: async (request) => {
      const started = performance.now();
      let response: Response;
      try {
        response = await guard(options, handler, request);
      } catch (error) {
        // Without a response of its own the request would fail without CORS headers, as a network error.
        logError(options.name, 'thrown', reasonOf(error), { request_id: requestId(request) });
        response = refuse(request, 'internal');
      }
      logRequest(options.name, request, response, performance.now() - started);
      return response;
    },
  };
}

async function guard(options: FunctionOptions, handler: Handler, request: Request): Promise<Response> {
  const { site, settings, method } = options;
  const origin = request.headers.get('origin');
  if (origin !== null) {
    const mayCall = options.adminOnly ? isAdminHost : isOwnHost;
    if (!mayCall(hostOfOrigin(origin) ?? '', site)) return refuse(request, 'foreign_origin');
    allowOrigin(request, origin);
  }
  if (request.method === 'OPTIONS') return preflight(request);
  if (request.method !== method) return refuse(request, 'method_not_allowed', { method }, { allow: method });
  if (settings.problem) {
    logError(options.name, 'not_configured', settings.problem);
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
