/** A hosted Supabase project as the owner's commands reach it: with its secret key, never from a page. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import { fetchWithoutRedirect } from '../config/fetch-without-redirect.ts';
import type { Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';

/** Time for one call, in milliseconds: a project that was paused needs a while. */
const TIMEOUT_MS = 30_000;

/** Of every client with the secret key. */
export const CLIENT_OPTIONS = {
  auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  global: { fetch: fetchWithoutRedirect },
};

export interface HostedProject {
  readonly url: string;
  /** GoTrue's admin API. */
  readonly auth: SupabaseClient<Database>['auth']['admin'];
  /** Calls a function of the database as service_role. @throws UserError with the project's error */
  call(name: string, args?: Record<string, unknown>): Promise<unknown>;
}

/** @throws UserError without the secret key */
export function openProject({ url, secretKey }: NonNullable<Settings['supabase']>): HostedProject {
  if (secretKey === undefined) {
    throw new UserError(
      `This works on the hosted project ${url}: set SUPABASE_SECRET_KEY in .env (Project Settings, API Keys), then run this again.`,
    );
  }
  const client = createClient<Database>(url, secretKey, CLIENT_OPTIONS);
  return {
    url,
    auth: client.auth.admin,
    async call(name, args = {}) {
      const { data, error, status } = await client
        .rpc(name, args)
        .abortSignal(AbortSignal.timeout(TIMEOUT_MS));
      if (error) throw new UserError(`${name} failed on ${url}: ${reasonOf(error, status)}`);
      return data;
    },
  };
}

/** Calls a function of the database, and checks what it returns. @throws UserError also where that is something else */
export async function callFor<Schema extends z.ZodMiniType>(
  project: HostedProject,
  schema: Schema,
  name: string,
  args: Record<string, unknown> = {},
): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(await project.call(name, args));
  if (parsed.success) return parsed.data;
  throw new UserError(
    `${name} on ${project.url} returned something else than it should, so nothing is known. ${SOMETHING_BETWEEN} If it ` +
      'does so again, run npm run deploy:backend.',
  );
}

const SOMETHING_BETWEEN =
  'Check SUPABASE_URL, and that no proxy or login page of your network responds instead; then run this again.';

/** What is wrong, and what to do. */
function reasonOf({ code, message }: { code?: string; message: string }, status: number): string {
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
