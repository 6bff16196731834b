import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL, TURNSTILE_SITE_KEY } from 'astro:env/client';
import { describeMismatch, PROVIDER_PATH } from '#contract/bot-check-provider.ts';
import { fetchInTime } from './fetch-in-time.ts';

/**
 * Compares the bot check of these pages with the one that a hosted project expects. Undefined where they agree, without a
 * response, and with the embedded backend, which has the settings of the pages.
 */
export async function readBotCheckProblem(signal: AbortSignal): Promise<string | undefined> {
  if (!SUPABASE_URL) return undefined;
  try {
    const response = await fetchInTime(`${SUPABASE_URL}/functions/v1${PROVIDER_PATH}`, {
      headers: { apikey: SUPABASE_PUBLISHABLE_KEY },
      signal,
    });
    return describeMismatch(TURNSTILE_SITE_KEY ? 'turnstile' : 'proof_of_work', await response.json());
  } catch {
    return undefined;
  }
}
