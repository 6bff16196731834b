/** A hosted Supabase project as the owner's commands reach it: with its secret key, never from a page. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';

/** Time for one call, in milliseconds: a project that was paused needs a while. */
const TIMEOUT_MS = 30_000;

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
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
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

/** What is wrong, and what to do. */
function reasonOf({ code, message }: { code?: string; message: string }, status: number): string {
  if (code === 'PGRST202')
    return 'the project does not know it. Apply the migrations: npm run deploy:backend.';
  if (status === 401 || status === 403)
    return `the project rejected SUPABASE_SECRET_KEY (${message}). Copy the URL and both keys from the same project.`;
  if (code) return `${message} (${code}).`;
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
