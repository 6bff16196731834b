/**
 * A Supabase project as the owner's commands reach it: with its secret key, never from a page. The embedded database serves
 * the same calls.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { type Arguments, CALLS, type CallOf, type Returned } from '#contract/calls.ts';
import type { Settings } from '../../config/settings.ts';
import { UserError } from '../../process/user-error.ts';

/** Time for one call, in milliseconds: a project that was paused needs a while. */
const TIMEOUT_MS = 30_000;

export interface Project {
  readonly url: string;
  /** What messages call it. */
  readonly name: string;
  /** GoTrue's admin API. */
  readonly auth: SupabaseClient<Database>['auth']['admin'];
  /**
   * Calls a function of the database as service_role.
   * @throws CallError with the project's error
   * @throws UserError also where it returns something else than the table says
   */
  call<Name extends CallOf<'service'>>(
    name: Name,
    args: Arguments<Name>,
    timeoutMs?: number,
  ): Promise<Returned<Name>>;
  /** Sends a request to `admin-auth` to enrol a second factor. Returns the body of its response, whatever its status. */
  enrolFactor(body: object): Promise<unknown>;
  /** Describes an error of the project and what to do. @param status 0 without a response */
  describe(error: ProjectError, status: number | undefined): string;
  /** What to do where a response is something else than it should be. */
  readonly onWrongResponse: string;
  /** Present where each start sets ADMIN_PASSWORD: the email of the administrator whose password the running product set. */
  readonly starts?: { readonly passwordSetFor: string | undefined };
}

/** Where a hosted one is meant. */
export type HostedProject = Project;

interface ProjectError {
  readonly code?: string | undefined;
  readonly message: string;
}

export class CallError extends UserError {
  /** Of PostgreSQL or PostgREST; undefined where the response has none. */
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** Opens a hosted project. @throws UserError without the secret key */
export function openHosted({ url, secretKey }: NonNullable<Settings['supabase']>): HostedProject {
  if (secretKey === undefined) {
    throw new UserError(
      `This works on the hosted project ${url}: set SUPABASE_SECRET_KEY in .env (Project Settings, API Keys), then run this again.`,
    );
  }
  return connect(url, secretKey, fetchWithoutRedirect, {
    name: url,
    describe: describeHosted,
    onWrongResponse: SOMETHING_BETWEEN,
  });
}

/**
 * A redirect is an error, because the secret key would be sent on to wherever it leads (fetch removes `authorization` on the
 * way to another origin, and keeps `apikey`).
 */
const fetchWithoutRedirect: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });

/** The embedded project that `fetch` reaches there. */
export function openEmbedded({
  url,
  fetch,
  secretKey,
  passwordSetFor,
}: {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly secretKey: string;
  readonly passwordSetFor?: string | undefined;
}): Project {
  const project = connect(url, secretKey, fetch, {
    name: 'the embedded database',
    describe: ({ code, message }, status) =>
      status === 0
        ? `no response (${message}), since the product ends, or starts its backend again. Run this again in a minute.`
        : `${code || message}. If its disk is full, make room, and run this again.`,
    onWrongResponse: 'Run this again; if it fails again, restart the product first.',
  });
  return { ...project, starts: { passwordSetFor } };
}

function connect(
  url: string,
  secretKey: string,
  fetch: typeof globalThis.fetch,
  { name, ...texts }: { name: string } & Pick<Project, 'describe' | 'onWrongResponse'>,
): Project {
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch },
  });
  return {
    url,
    name,
    auth: client.auth.admin,
    ...texts,
    async enrolFactor(body) {
      const response = await fetch(`${url}/functions/v1/admin-auth`, {
        method: 'PUT',
        headers: { apikey: secretKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => undefined);
      return await response?.json().catch(() => undefined);
    },
    async call<Name extends CallOf<'service'>>(
      call: Name,
      args: Arguments<Name>,
      timeoutMs: number = TIMEOUT_MS,
    ) {
      const { data, error, status } = await client
        .rpc(call, args)
        .abortSignal(AbortSignal.timeout(timeoutMs));
      if (error)
        throw new CallError(`${call} failed on ${name}: ${texts.describe(error, status)}`, error.code);
      const result = CALLS[call].result.safeParse(data);
      if (result.success) return result.data as Returned<Name>;
      throw new UserError(
        `${call} on ${name} returned something else than it should, so nothing is known. ${texts.onWrongResponse}`,
      );
    },
  };
}

const SOMETHING_BETWEEN =
  'Check SUPABASE_URL, and that no proxy or login page of your network responds instead; then run this again. If it does ' +
  'so again, run npm run deploy:backend.';

/** What is wrong, and what to do. */
function describeHosted({ code, message }: ProjectError, status = 0): string {
  if (code === 'PGRST202')
    return 'the project does not know it. Apply the migrations: npm run deploy:backend.';
  if (status === 401 || status === 403)
    return `the project rejected SUPABASE_SECRET_KEY (${message}). Copy the URL and both keys from the same project.`;
  if (code) return `${message} (${code}).`;
  if (status === 429) return 'it gets too many requests (429). Run this again in a minute.';
  if (status >= 200 && status < 300) return `the response is no JSON (${status}). ${SOMETHING_BETWEEN}`;
  if (status > 0)
    return `it responded with ${status}. Check SUPABASE_URL, and that the project is not paused.`;
  return `no response (${message}). Check SUPABASE_URL and SUPABASE_SECRET_KEY, and that the project is not paused.`;
}

/** The callers check or know what is returned. */
interface Database {
  public: {
    Tables: Record<never, never>;
    Views: Record<never, never>;
    Functions: Record<string, { Args: Record<string, unknown>; Returns: unknown }>;
  };
}
