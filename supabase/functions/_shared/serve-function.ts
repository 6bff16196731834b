import { verifyCredentials } from '@supabase/server/core';
import type { FunctionContext } from './context.ts';
import { hostNameOf, isAdminHost, isOwnHost, type SiteHosts } from './contract/hosts.ts';
import type { Log } from './log.ts';
import { DatabaseUnavailable, Rejection } from './rejection.ts';
import { requestHost } from './request-host.ts';
import { type Result, toResponse } from './response.ts';

/** Returns the result of a request, or throws a Rejection. */
export type Handler = (request: Request) => Promise<Result>;

export interface FunctionOptions {
  /** The function's name, for the log. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The project's key that a request needs, as `apikey` or as bearer; if undefined, the public one. */
  readonly key?: 'secret';
  /** Whether only pages of the admin host may call it; otherwise those of the site's hosts and of the request's own. */
  readonly adminOnly?: boolean;
}

type Context = Pick<FunctionContext, 'listings' | 'settings' | 'log'>;

const PREFLIGHT: Result = {
  status: 204,
  headers: {
    'access-control-allow-headers': 'authorization, x-client-info, apikey, content-type',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-max-age': '86400',
  },
};

/**
 * Wraps a handler: it only runs for allowed origins, its method and a valid public key. Its result, or the rejection or
 * error that it throws, becomes the response, with the request id and the CORS and cache headers, and a line in the log.
 * @returns what a function must export as default, on a hosted project and embedded
 */
export function serveFunction(
  context: Context,
  options: FunctionOptions,
  handler: Handler,
): { fetch(request: Request): Promise<Response> } {
  return {
    fetch: async (request) => {
      const started = performance.now();
      const requestId = crypto.randomUUID();
      let origin: string | undefined;
      const respond = async () => {
        origin = await allowedOrigin(request, context, options.adminOnly);
        return await callHandler(context, options, handler, request, origin);
      };
      const result = await respond().catch((error: unknown) =>
        toRejection(error, context.log, options.name, requestId),
      );
      const response = toResponse(result, requestId, origin);
      if (request.method !== 'OPTIONS') {
        context.log.request(options.name, requestId, response.status, performance.now() - started);
      }
      return response;
    },
  };
}

async function callHandler(
  { settings, log }: Context,
  { name, method, key }: FunctionOptions,
  handler: Handler,
  request: Request,
  origin: string | undefined,
): Promise<Result> {
  if (request.headers.has('origin') && origin === undefined) throw new Rejection('foreign_origin');
  if (request.method === 'OPTIONS') return PREFLIGHT;
  if (request.method !== method) {
    throw new Rejection('method_not_allowed', { values: { method }, headers: { allow: method } });
  }
  if (settings.problem) {
    log.error(name, 'not_configured', settings.problem);
    throw new Rejection('unavailable', { headers: { 'retry-after': '60' } });
  }
  const { error } = await verifyCredentials(
    { apikey: keyIn(request.headers), token: null },
    { auth: key === 'secret' ? 'secret:*' : 'publishable', env: settings.keys },
  );
  if (error) throw new Rejection(error.status >= 500 ? 'unavailable' : 'unauthorized');
  return await handler(request);
}

/** A bearer counts without an `apikey`: beside one it may be the token of a session. */
function keyIn(headers: Headers): string | null {
  return headers.get('apikey') || (/^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null);
}

/**
 * The request's origin if its pages may call the function. Behind a gateway these are also the pages of the host that the
 * request was sent to, whatever it is, but for `adminOnly`. Browsers send an origin that equals the request's host for pages
 * alone that this site served there. So does an attacker's page whose name leads here since (DNS rebinding), or a program with
 * a forged Host: both can do no more than a program without an Origin, because no cookie or session is involved.
 */
export async function allowedOrigin(
  request: Request,
  { listings, settings }: Pick<Context, 'listings' | 'settings'>,
  adminOnly = false,
): Promise<string | undefined> {
  const origin = request.headers.get('origin') ?? '';
  const host = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  if (host === undefined) return undefined;
  const isSame = hostNameOf(host) !== undefined && hostNameOf(host) === requestHost(request, settings);
  if (isSame && !adminOnly) return origin;
  // The gateway lets requests to a loopback host through to an admin function only if this machine sent them. Without a
  // gateway a page of loopback is one that the administrator's own machine serves.
  const isFromHere = isSame || settings.hostHeader === undefined;
  const mayCall = (site: SiteHosts) =>
    adminOnly ? isAdminHost(host, site, isFromHere) : isOwnHost(host, site);
  return (await listings.allows(mayCall)) ? origin : undefined;
}

/** Logs only the name of an unexpected error: its message may contain a visitor's input. */
function toRejection(error: unknown, log: Log, name: string, requestId: string): Rejection {
  if (error instanceof DatabaseUnavailable) log.error(name, 'database_unavailable', error.message);
  if (error instanceof Rejection) return error;
  const reason = error instanceof Error ? error.name : typeof error;
  log.error(name, 'thrown', reason, { request_id: requestId });
  return new Rejection('internal');
}
