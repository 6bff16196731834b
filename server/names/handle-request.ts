/**
 * Responds to requests to `/admin/catalogue`. The server has checked the host, the token's signature and the size of the body;
 * whether its session may read or change names is decided by the database, before anything is read here.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Arguments, CALLS, type CallName, type Call as CallRow } from '#contract/calls.ts';
import { hostNameOf, isAdminHost, type SiteHosts } from '#contract/hosts.ts';
import { interpolate } from '#contract/interpolate.ts';
import { type Build, type NameRejection, type NamesRequest, NamesRequestSchema } from '#contract/names.ts';
import type { BackendRequest, BackendResponse } from '../backend-requests/backend-request.ts';
import type { Builds } from './builds.ts';
import { NAME_REJECTIONS, NamesRejected } from './name-rejection.ts';
import type { Call, NamesWorker } from './names-worker.ts';

export interface NamesOptions {
  /** Sends a request to the backend. */
  send(request: BackendRequest): Promise<BackendResponse>;
  /** A call of the database as the service. */
  callAsService: Call;
  readonly publishableKey: string;
  /** For calls to which no route leads. */
  readonly secretKey: string;
  readonly worker: Pick<NamesWorker, 'perform'>;
  readonly builds: Pick<Builds, 'request' | 'state'>;
  siteHosts(): SiteHosts;
  /** Logs what went wrong. */
  onError(problem: string): void;
}

/** @param host that the request is for, which has the admin area */
export type HandleNames = (request: BackendRequest, host: string) => Promise<BackendResponse>;

type Marks = Arguments<'mark_name_changes'>;

export function createHandleNames(options: NamesOptions): HandleNames {
  const { builds, worker } = options;

  return async (request, host) => {
    const requestId = randomUUID();
    try {
      assertOrigin(request.headers.origin, host);
      return toResponse(200, await respond(request), requestId);
    } catch (error) {
      return rejection(error instanceof NamesRejected ? error : unexpected(error, requestId), requestId);
    }
  };

  /** As of functions for the admin host: pages of another origin may not send requests; programs send none. */
  function assertOrigin(origin: string | undefined, host: string): void {
    if (origin === undefined) return;
    const from = /^https?:\/\/([^/]+)$/.exec(origin)?.[1] ?? '';
    if (!isAdminHost(from, options.siteHosts(), hostNameOf(from) === host))
      throw new NamesRejected('foreign_origin');
  }

  async function respond({ method, headers, body }: BackendRequest): Promise<object> {
    const call = callsFor(headers.authorization ?? '');
    if (method !== 'POST') {
      await call('schema_version', {});
      return { build: builds.state() };
    }
    const task = parse(body);
    await call('schema_version', {});
    const result = (await perform(task, call)) as object;
    if (task.action === 'plan') return result;
    if (task.action !== 'read') builds.request('batch' in task ? task.batch : undefined);
    const build: Build = builds.state();
    return { ...result, build };
  }

  /** A task that is rejected may have carried out an earlier change. @throws NamesRejected */
  async function perform(task: NamesRequest, call: Call): Promise<unknown> {
    let hasWritten = false;
    try {
      return await worker.perform(task, async (name, args) => {
        if (name === 'mark_name_changes') hasWritten ||= (args as Marks).written.length > 0;
        return await call(name, args);
      });
    } catch (error) {
      if (hasWritten) builds.request();
      throw error;
    }
  }

  /** Administrators' calls with the token of the request; @throws NamesRejected */
  function callsFor(authorization: string): Call {
    return async (name, args) => {
      const { who, result, byFunction }: CallRow = CALLS[name as CallName];
      if (who === 'service') return await options.callAsService(name, args);
      const { status, body } = await options.send({
        method: 'POST',
        path: `/rest/v1/rpc/${name}`,
        headers: {
          apikey: byFunction ? options.secretKey : options.publishableKey,
          authorization,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: Buffer.from(JSON.stringify(args)),
      });
      if (status === 401 || status === 403) throw new NamesRejected('session_ended');
      if (status !== 200) {
        options.onError(`The call ${name} failed (${status}).`);
        throw new NamesRejected('unavailable');
      }
      return z.parse(result, JSON.parse(Buffer.from(body).toString()));
    };
  }

  function unexpected(error: unknown, requestId: string): NamesRejected {
    options.onError(
      `${requestId} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return new NamesRejected('internal');
  }
}

function parse(body: Uint8Array): NamesRequest {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new NamesRejected('malformed');
  }
  const { data, error } = NamesRequestSchema.safeParse(given);
  if (data) return data;
  const [issue] = error.issues;
  const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.');
  throw new NamesRejected('wrong_field', { values: { field: field.slice(0, 100) || 'action' } });
}

function rejection({ code, details }: NamesRejected, requestId: string): BackendResponse {
  const { values, body, retryAfter } = details;
  const [status, message] = NAME_REJECTIONS[code];
  const minutes = Math.max(1, Math.ceil((retryAfter ?? 0) / 60));
  const error = interpolate(message, {
    minutes: minutes === 1 ? 'a minute' : `${minutes} minutes`,
    ...values,
  });
  const sent: NameRejection = { error, code, ...body, request_id: requestId };
  const wait = retryAfter ?? (status === 503 ? 5 : undefined);
  return toResponse(status, sent, requestId, wait === undefined ? {} : { 'retry-after': String(wait) });
}

function toResponse(
  status: number,
  body: object,
  requestId: string,
  headers: Record<string, string> = {},
): BackendResponse {
  return {
    status,
    headers: Object.entries({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
      ...headers,
    }),
    body: Buffer.from(JSON.stringify(body)),
  };
}
