import { createClient } from '@supabase/supabase-js';
import type { Publish } from '#contract/publication.ts';
import { fetchWithoutRedirect } from '../config/fetch-without-redirect.ts';
import { UserError } from '../config/user-error.ts';
import { OlderBuildError } from './publish-served.ts';

/** Time for one publication of ten thousand names, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Of a build of a former version: older than any other. */
const UNKNOWN_TIME = new Date(0).toISOString();
/** The database's code for a build that is older than the published one. */
const OLDER_BUILD = 'PT409';

/**
 * Publishes to a hosted project, with its secret key.
 * @throws OlderBuildError where a newer build is published
 * @throws UserError with the project's error
 */
export function hostedPublisher(url: string, secretKey: string): Publish {
  const client = createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithoutRedirect },
  });
  return async ({ entries, hosts, language, build, builtAt = UNKNOWN_TIME, settings = {} }, keepOld) => {
    const args = { entries, hosts, keep_old: keepOld, language, build, built_at: builtAt, settings };
    const { data, error, status } = await client
      .rpc('publish_listings', args)
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS));
    // The version. A proxy or a login page of the network may respond with 200 as well.
    if (!error && typeof data === 'number') return;
    if (error?.code === OLDER_BUILD) {
      throw new OlderBuildError(
        `The catalogue is not published to ${url}: that of a newer build is, made at another time or on another machine. ` +
          'If this one is newer, set the clock of this machine right and build again.',
      );
    }
    throw new UserError(
      `The catalogue could not be published to ${url} (${reasonOf(error, status)}). ` +
        'Check SUPABASE_SECRET_KEY, and that its migrations are applied (supabase db push). Then run npm run build again.',
    );
  };
}

/** Without the text of a response that is no JSON, which may be a page. */
function reasonOf(error: { code: string; message: string } | null, status: number): string {
  if (error?.code) return `${error.code}: ${error.message}`;
  return status > 0 ? `the response is none of the project’s, ${status}` : `no response: ${error?.message}`;
}
