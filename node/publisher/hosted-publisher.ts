import { createClient } from '@supabase/supabase-js';
import type { Publish } from '#contract/publication.ts';
import { UserError } from '../config/user-error.ts';

/** Time for one publication of ten thousand names, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Publishes to a hosted project, with its secret key. @throws UserError with the project's error */
export function hostedPublisher(url: string, secretKey: string): Publish {
  const client = createClient<Database>(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  return async ({ entries, hosts, language, build }, keepOld) => {
    const args = { entries, hosts, keep_old: keepOld, language, build };
    const { error } = await client.rpc('publish_listings', args).abortSignal(AbortSignal.timeout(TIMEOUT_MS));
    if (!error) return;
    throw new UserError(
      `The catalogue could not be published to ${url} (${error.code || 'no response'}: ${error.message}). ` +
        'Check SUPABASE_SECRET_KEY, and that its migrations are applied (supabase db push). Then run npm run build again.',
    );
  };
}

interface Database {
  public: {
    Tables: Record<never, never>;
    Views: Record<never, never>;
    Functions: Record<'publish_listings', { Args: Record<string, unknown>; Returns: unknown }>;
  };
}
